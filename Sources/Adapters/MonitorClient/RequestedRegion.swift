import Beacons
import Events
import Instants
import Records

/// A region that a program asks a session to monitor.
public struct RequestedRegion: Hashable, Sendable {
  /// The part of a definition that must be the same for a new definition to keep the state of the region.
  public enum Shape: Hashable, Sendable {
    /// A region of the configuration, which has no definition here.
    case configured
    case beacons(BeaconConstraint)
    /// Degrees on WGS84, and metres.
    case circle(latitude: Double, longitude: Double, radius: Double)
    /// A place, a level or a whole venue.
    case place(String?, level: String?, venue: String?)
  }

  public let identifier: String
  public let shape: Shape
  /// The rules for entries and exits of a region of beacons.
  public let rules: BeaconRules
  /// The state that the region begins with.
  public var assumed = RegionState.unknown
  public var notifyOnEntry = true
  public var notifyOnExit = true

  /// The rules of a region of beacons; nil leaves one to the daemon.
  public struct BeaconRules: Hashable, Sendable {
    public var exitDelay: Span?
    /// The distances in metres of an enter and of an exit.
    public var within: Double?
    public var leaveBeyond: Double?
    /// Whether the visitor is inside only while no other beacon is nearer.
    public var nearestOnly: Bool

    public init(exitDelay: Span? = nil, within: Double? = nil, leaveBeyond: Double? = nil, nearestOnly: Bool = false) {
      (self.exitDelay, self.within, self.leaveBeyond, self.nearestOnly) = (exitDelay, within, leaveBeyond, nearestOnly)
    }
  }

  public init(_ identifier: String, _ shape: Shape, rules: BeaconRules = BeaconRules()) {
    (self.identifier, self.shape, self.rules) = (identifier, shape, rules)
  }

  /// False for a region that has only an identifier.
  var isDefinition: Bool {
    switch shape {
    case .configured, .place(nil, level: nil, venue: nil): false
    case .beacons, .circle, .place: true
    }
  }

  /// The region as the argument of `Session.StartMonitoring`.
  public var record: Record {
    var record = Record(["identifier": .text(identifier)])
    switch shape {
    // Any other key would define another region.
    case .configured: return record
    case .beacons(let constraint):
      record.append("uuid", .text(constraint.uuid.description))
      record.append("major", constraint.major.map { .short($0) })
      record.append("minor", constraint.minor.map { .short($0) })
    case .circle(let latitude, let longitude, let radius):
      record.append("latitude", .degreesOnEarth(latitude))
      record.append("longitude", .degreesOnEarth(longitude))
      record.append("radius", .metres(radius))
    case .place(let place, let level, let venue):
      record.append("place", place.map { .text($0) })
      record.append("level", level.map { .text($0) })
      record.append("venue", venue.map { .text($0) })
    }
    record.append("exitDelay", rules.exitDelay.map { .text($0.text) })
    record.append("within", rules.within.map { .metres($0) })
    record.append("leaveBeyond", rules.leaveBeyond.map { .metres($0) })
    record.append("nearestOnly", rules.nearestOnly ? .flag(true) : nil)
    record.append("assume", assumed == .unknown ? nil : .text(assumed.rawValue))
    record.append("notifyOnEntry", notifyOnEntry ? nil : .flag(false))
    record.append("notifyOnExit", notifyOnExit ? nil : .flag(false))
    return record
  }
}
