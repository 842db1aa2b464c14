import BeaconAdvertising
import Instants

/// How it is with one beacon that this machine is to be.
public struct AdvertisingStatus: Equatable, Sendable {
  public enum State: Hashable, Sendable {
    /// BlueZ is being asked.
    case starting
    /// By the adapter of this address.
    case advertising(BluetoothAddress)
    /// Until that is over.
    case waiting(AdvertisingObstacle)
  }

  public var transmission: BeaconTransmission
  public var state: State
  /// On the loop's clock.
  public var since: Instant
}
