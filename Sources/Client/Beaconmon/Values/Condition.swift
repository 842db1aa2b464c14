import FoundationEssentials

/// A condition that a `Monitor` watches. Core Location's CLCondition.
public protocol Condition: Hashable, Sendable {}

/// A selection of beacons: all of a UUID, those of one major, or a single one.
///
/// Core Location's CLBeaconIdentityConstraint and CLBeaconIdentityCondition.
public struct BeaconIdentityCondition: Condition {
  public let uuid: UUID
  public let major: UInt16?
  /// The minor, which requires a major: minors of different majors are unrelated. Nil for all minors.
  public let minor: UInt16?

  public init(uuid: UUID) {
    (self.uuid, major, minor) = (uuid, nil, nil)
  }

  public init(uuid: UUID, major: UInt16) {
    (self.uuid, self.major, minor) = (uuid, major, nil)
  }

  public init(uuid: UUID, major: UInt16, minor: UInt16) {
    (self.uuid, self.major, self.minor) = (uuid, major, minor)
  }
}

public typealias BeaconIdentityConstraint = BeaconIdentityCondition

extension BeaconIdentityCondition: CustomStringConvertible {
  /// `uuid`, `uuid/major` or `uuid/major/minor`, with the UUID in lower case.
  public var description: String {
    ([uuid.uuidString.lowercased()] + [major, minor].compactMap { $0.map { String($0) } }).joined(separator: "/")
  }
}

/// A circle on the earth that a `Monitor` watches, by the rules of `CircularRegion`.
///
/// Core Location's CLCircularGeographicCondition.
public struct CircularGeographicCondition: Condition {
  public let center: LocationCoordinate2D
  /// The radius in metres.
  public let radius: Double

  public init(center: LocationCoordinate2D, radius: Double) {
    self.center = center
    self.radius = radius
  }
}

/// A venue, or a place or a level of one, that a `Monitor` watches, by the rules of `PlaceRegion`.
public struct PlaceCondition: Condition {
  public let area: PlaceRegion.Area
  /// The id of the venue; nil for the venues that have the place or the level.
  public let venue: String?

  public init(place: String, venue: String? = nil) {
    (area, self.venue) = (.place(place), venue)
  }

  public init(level: String, venue: String? = nil) {
    (area, self.venue) = (.level(level), venue)
  }

  public init(venue: String) {
    (area, self.venue) = (.venue, venue)
  }
}

/// The configured region whose identifier a `Monitor` uses for this condition; see `ConfiguredRegion`.
///
/// The assumed state is ignored, because the config's region supplies the state from the start.
public struct ConfiguredCondition: Condition {
  public init() {}
}
