import BeaconAdvertising
import Instants

/// How it is with one beacon that this machine is to be.
public struct AdvertisingStatus: Equatable, Sendable {
  public enum State: Hashable, Sendable {
    /// BlueZ is being asked.
    case starting
    case advertising(Sender)
    /// Until that is over.
    case waiting(AdvertisingObstacle)
  }

  public struct Sender: Hashable, Sendable {
    /// Of the adapter.
    public var address: BluetoothAddress
    /// How long it is from one advertisement to the next.
    public var intervals: ClosedRange<Span>
    /// What is not as it was asked for, and what can be done: a line each.
    public var notes: [String]

    public init(address: BluetoothAddress, intervals: ClosedRange<Span>, notes: [String]) {
      self.address = address
      self.intervals = intervals
      self.notes = notes
    }
  }

  public var transmission: BeaconTransmission
  public var state: State
  /// On the loop's clock.
  public var since: Instant
}
