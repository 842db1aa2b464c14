import FoundationEssentials

/// One ranged beacon. Nil values are unknown. Core Location's CLBeacon.
public struct Beacon: Hashable, Sendable {
  public let uuid: UUID
  public let major: UInt16
  public let minor: UInt16
  public let proximity: Proximity
  /// The filtered distance in metres.
  public let distance: Double?
  /// One sigma of the distance, in metres.
  public let accuracy: Double?
  /// The method that gave the distance.
  public let distanceMethod: DistanceMethod?
  /// The filtered RSSI in dBm.
  public let rssi: Double?
  /// The time of the last sighting.
  public let timestamp: Date
  /// The name of the place that the beacon stands for in a venue file of the daemon, in the daemon's language.
  public let place: String?
  /// The id of that place.
  public let placeID: String?
  /// The voltage that the beacon reports for its battery, if the service expects the beacon.
  public let batteryVoltage: Double?
  /// The temperature in °C that the beacon reports.
  public let temperature: Double?

  public init(
    uuid: UUID, major: UInt16, minor: UInt16, proximity: Proximity, distance: Double?, accuracy: Double?,
    distanceMethod: DistanceMethod? = nil, rssi: Double?, timestamp: Date, place: String? = nil,
    placeID: String? = nil, batteryVoltage: Double? = nil, temperature: Double? = nil
  ) {
    self.uuid = uuid
    self.major = major
    self.minor = minor
    self.proximity = proximity
    self.distance = distance
    self.accuracy = accuracy
    self.distanceMethod = distanceMethod
    self.rssi = rssi
    self.timestamp = timestamp
    self.place = place
    self.placeID = placeID
    self.batteryVoltage = batteryVoltage
    self.temperature = temperature
  }
}

extension Beacon: Identifiable {
  /// The identity of the beacon, independent of its measurements.
  public var id: BeaconIdentityCondition { BeaconIdentityCondition(uuid: uuid, major: major, minor: minor) }
}

/// The methods that turn the signal strength of a beacon into a distance.
public enum DistanceMethod: String, Hashable, Sendable, CaseIterable {
  /// Path loss alone, which takes too many beacons for near ones.
  case plain
  /// Path loss, weighed against the usual distances of beacons. The service's default.
  case bayesian
  /// The position of the device in a venue whose file says where the beacons hang. The service uses it wherever it can.
  case indoor
}

/// The class of a beacon's distance by path loss alone. Core Location's CLProximity.
public enum Proximity: String, Hashable, Sendable, CaseIterable {
  case unknown
  /// A distance below 0.5 m.
  case immediate
  /// A distance below 3 m.
  case near
  case far
}

/// One second of ranging.
public struct RangingUpdate: Hashable, Sendable {
  public let constraint: BeaconIdentityConstraint
  public let date: Date
  /// The beacons, nearest first, those of unknown distance last.
  public let beacons: [Beacon]
}
