import FoundationEssentials

/// A change in the health of an expected beacon: one of the venue, or one that a region of the config names.
public struct BeaconEvent: Hashable, Sendable {
  /// The problems of a beacon.
  public enum Problem: String, Hashable, Sendable {
    /// The beacon has fallen silent.
    case missing
    /// The battery is low, or the level has fallen slowly.
    case weak
    /// The beacon seems to hang at another place.
    case moved
    /// Another transmitter has the identity of the beacon, so that one of them is a suspected copy.
    case duplicate
  }

  public enum Change: String, Hashable, Sendable {
    case began
    case ended
  }

  public let problem: Problem
  /// Whether the problem has begun or is over. A problem that is over had begun before.
  public let change: Change
  public let beacon: BeaconIdentityCondition
  /// The name of its place in the venue, or that of the beacon in the venue file or in the config.
  public let placeName: String?
  /// The id of its place in the venue.
  public let placeID: String?
  /// The time of the event.
  public let date: Date
  /// The filtered RSSI in dBm.
  public let rssi: Double?
  /// The volts that the beacon reports for its battery.
  public let batteryVoltage: Double?
  /// The degrees Celsius that the beacon reports.
  public let temperature: Double?
  /// The evidence.
  public let reason: EventReason
}

/// An element of `LocationManager.expectedBeaconUpdates`.
public enum BeaconEventUpdate: Hashable, Sendable {
  case event(BeaconEvent)
  /// The program was too slow, and events of this time are lost to it.
  case gap(ServiceGap)
}
