import BeaconAdvertising
import Instants

/// One advertisement as received by one adapter.
public struct HeardAdvertisement: Hashable, Sendable {
  public enum Sender: Hashable, Sendable {
    /// The index of a beacon of the scenario.
    case beacon(Int)
    /// A device of the crowd, and the 48 bits of its present address.
    case crowd(Int, address: UInt64)
  }

  public let sender: Sender
  /// The RSSI in dBm.
  public let rssi: Int8
  public let adapter: UInt16
  public let time: Instant
}

extension Scenario {
  /// Returns the sighting for the engine; nil for a device of the crowd.
  public func sighting(_ heard: HeardAdvertisement) -> Sighting? {
    guard case .beacon(let index) = heard.sender else { return nil }
    let beacon = beacons[index]
    return Sighting(
      beacon: beacon.identity, measuredPower: beacon.measuredPower, rssi: heard.rssi, adapter: heard.adapter, time: heard.time)
  }
}
