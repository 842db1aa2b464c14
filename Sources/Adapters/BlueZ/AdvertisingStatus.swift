import BeaconAdvertising
import Beacons
import Instants

/// The state of one beacon that this machine sends.
public struct AdvertisingStatus: Equatable, Sendable {
  public enum State: Hashable, Sendable {
    /// A request to BlueZ is pending.
    case starting
    case advertising(Sender)
    /// The beacon is not sent until the obstacle is gone.
    case waiting(AdvertisingObstacle)
  }

  public struct Sender: Hashable, Sendable {
    /// The address of the adapter.
    public var address: BluetoothAddress
    /// The range of the time from one advertisement to the next.
    public var intervals: ClosedRange<Span>
    /// The deviations from the request, and their remedies: one line each.
    public var notes: [String]

    public init(address: BluetoothAddress, intervals: ClosedRange<Span>, notes: [String]) {
      self.address = address
      self.intervals = intervals
      self.notes = notes
    }
  }

  public var transmission: BeaconTransmission
  public var state: State
  /// The start of this state, on the loop's clock.
  public var since: Instant
}
