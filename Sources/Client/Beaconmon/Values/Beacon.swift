import FoundationEssentials

/// One beacon as it was ranged. What is unknown is nil. Core Location's CLBeacon.
public struct Beacon: Hashable, Sendable {
  public let uuid: UUID
  public let major: UInt16
  public let minor: UInt16
  public let proximity: Proximity
  /// Metres, filtered.
  public let distance: Double?
  /// One sigma of the distance, metres.
  public let accuracy: Double?
  /// Filtered, dBm.
  public let rssi: Double?
  /// When it was heard last.
  public let timestamp: Date

  public init(
    uuid: UUID, major: UInt16, minor: UInt16, proximity: Proximity, distance: Double?, accuracy: Double?, rssi: Double?, timestamp: Date
  ) {
    self.uuid = uuid
    self.major = major
    self.minor = minor
    self.proximity = proximity
    self.distance = distance
    self.accuracy = accuracy
    self.rssi = rssi
    self.timestamp = timestamp
  }
}

extension Beacon: Identifiable {
  /// The beacon itself, whatever is known of it now.
  public var id: BeaconIdentityCondition { BeaconIdentityCondition(uuid: uuid, major: major, minor: minor) }
}

/// How far a beacon is, in words. Core Location's CLProximity.
public enum Proximity: String, Hashable, Sendable, CaseIterable {
  case unknown
  /// Below 0.5 m.
  case immediate
  /// Below 3 m.
  case near
  case far
}

/// One second of ranging.
public struct RangingUpdate: Hashable, Sendable {
  public let constraint: BeaconIdentityConstraint
  public let date: Date
  /// Nearest first, those of unknown distance last.
  public let beacons: [Beacon]
}
