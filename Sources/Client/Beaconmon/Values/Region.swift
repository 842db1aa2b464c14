import FoundationEssentials

/// A region that a `LocationManager` monitors. Core Location's CLRegion, as a value.
///
/// It is a `BeaconRegion`, a `CircularRegion`, a `PlaceRegion` or a `ConfiguredRegion`.
public protocol Region: Hashable, Sendable {
  /// The identifier, 1 to 64 characters. Another region of the same identifier replaces this one.
  var identifier: String { get }
  /// Whether entering causes an enter event, beside the change of state.
  var notifyOnEntry: Bool { get set }
  /// Whether leaving causes an exit event, beside the change of state.
  var notifyOnExit: Bool { get set }
}

/// The state of a region. Core Location's CLRegionState.
public enum RegionState: String, Hashable, Sendable {
  /// The region has no sighting or fix yet, or no source can supply one.
  case unknown
  case inside
  case outside
}

/// A region defined by beacons. Core Location's CLBeaconRegion.
public struct BeaconRegion: Region {
  public let identifier: String
  public let beaconIdentityConstraint: BeaconIdentityConstraint
  public var notifyOnEntry = true
  public var notifyOnExit = true
  /// The silence after which the region is left, 1 s to 1 h. Nil: learned from the gaps of its beacons, at least 30 s.
  public var exitDelay: Duration?
  /// The distance in metres within which a beacon must stay for an entry, 0.1 to 100. Nil: any sighting is enough.
  public var within: Double?
  /// The distance in metres beyond which all beacons must stay for an exit. Nil: 1.5 times `within`.
  public var leaveBeyond: Double?
  /// Whether a beacon enters the region only while no beacon of another region is clearly nearer. Requires `within`.
  public var nearestOnly = false

  public init(beaconIdentityConstraint: BeaconIdentityConstraint, identifier: String) {
    self.beaconIdentityConstraint = beaconIdentityConstraint
    self.identifier = identifier
  }

  public init(uuid: UUID, identifier: String) {
    self.init(beaconIdentityConstraint: BeaconIdentityConstraint(uuid: uuid), identifier: identifier)
  }

  public init(uuid: UUID, major: UInt16, identifier: String) {
    self.init(beaconIdentityConstraint: BeaconIdentityConstraint(uuid: uuid, major: major), identifier: identifier)
  }

  public init(uuid: UUID, major: UInt16, minor: UInt16, identifier: String) {
    self.init(beaconIdentityConstraint: BeaconIdentityConstraint(uuid: uuid, major: major, minor: minor), identifier: identifier)
  }

  public var uuid: UUID { beaconIdentityConstraint.uuid }
  public var major: UInt16? { beaconIdentityConstraint.major }
  public var minor: UInt16? { beaconIdentityConstraint.minor }
}

/// A region that is a circle on the earth. Core Location's CLCircularRegion.
///
/// The device enters it when fixes have been inside by more than their accuracy for 20 s. The device leaves it when fixes have
/// been outside for 20 s, by more than their accuracy plus a tenth of the radius, which counts as at least 20 m. Fixes that are
/// coarser than the radius change nothing: a radius below 100 m requires a satellite receiver.
public struct CircularRegion: Region {
  public let identifier: String
  public let center: LocationCoordinate2D
  /// The radius in metres, 1 to `LocationManager.maximumRegionMonitoringDistance`.
  public let radius: Double
  public var notifyOnEntry = true
  public var notifyOnExit = true

  public init(center: LocationCoordinate2D, radius: Double, identifier: String) {
    self.center = center
    self.radius = radius
    self.identifier = identifier
  }

  /// Returns true if a coordinate lies in the circle, independent of the device's location.
  public func contains(_ coordinate: LocationCoordinate2D) -> Bool { center.distance(to: coordinate).map { $0 <= radius } ?? false }
}

/// A region that is a venue, or a place or a level of one, whose file the service's config names.
///
/// The device enters a place when 60 % of the probability of its position are inside, and leaves it when no more than 40 % have been for
/// 2 s. It enters a level after 2 s with 60 %, and leaves it after 5 s with no more than 25 %. Without a venue that has the place, the
/// state is `unknown`. `VenueDirectory` lists the places and levels.
public struct PlaceRegion: Region {
  /// The part of a venue that is the region.
  public enum Area: Hashable, Sendable {
    /// The area of the place with this id, or the circle around it.
    case place(String)
    /// The whole level with this id.
    case level(String)
    /// The whole venue. The device is at it while its beacons are heard, or while a location lies in its circle.
    case venue
  }

  public let identifier: String
  public let area: Area
  /// The id of the venue; nil for the venues that have the place or the level.
  public let venue: String?
  public var notifyOnEntry = true
  public var notifyOnExit = true

  /// - Parameters:
  ///   - place: the id of the place, as in `Place.placeID`.
  ///   - venue: the id of the venue; nil for the venues that have the place.
  ///   - identifier: the program's own name for the region.
  public init(place: String, venue: String? = nil, identifier: String) {
    (area, self.venue, self.identifier) = (.place(place), venue, identifier)
  }

  /// - Parameters:
  ///   - level: the id of the level, as in `VenueLevel.level`.
  ///   - venue: the id of the venue; nil for the venues that have the level.
  ///   - identifier: the program's own name for the region.
  public init(level: String, venue: String? = nil, identifier: String) {
    (area, self.venue, self.identifier) = (.level(level), venue, identifier)
  }

  /// - Parameters:
  ///   - venue: the id of the venue, as in `Place.venue`.
  ///   - identifier: the program's own name for the region.
  public init(venue: String, identifier: String) {
    (area, self.venue, self.identifier) = (.venue, venue, identifier)
  }

  init(area: Area, venue: String?, identifier: String) {
    (self.area, self.venue, self.identifier) = (area, venue, identifier)
  }

  /// Creates the region of a place that the service has reported.
  public init(_ place: Place, identifier: String) {
    self.init(place: place.placeID, venue: place.venue, identifier: identifier)
  }
}

/// A region of the service's config, named by its identifier.
///
/// The administrator has configured its beacons or its circle, and its exit. A program needs none of these values to monitor it, and
/// follows changes of the config. All clients share the state and the events of the configured region. If the config has no region of
/// this identifier, `monitoringDidFailFor` reports that once there is consent. A configured region cannot be registered.
public struct ConfiguredRegion: Region {
  public let identifier: String
  public var notifyOnEntry = true
  public var notifyOnExit = true

  public init(identifier: String) {
    self.identifier = identifier
  }
}
