import Beacons
import Events
import Records

/// A region that a program asks a session to monitor.
public struct RequestedRegion: Hashable, Sendable {
  /// The part of a definition by which a state belongs to the region.
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
  /// The further options of a definition, with the keys of `Session.StartMonitoring`.
  public let options: Record
  /// The state that the region begins with.
  public var assumed = RegionState.unknown
  public var notifyOnEntry = true
  public var notifyOnExit = true

  public init(_ identifier: String, _ shape: Shape, options: Record = Record()) {
    (self.identifier, self.shape, self.options) = (identifier, shape, options)
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
    for (key, value) in options.fields { record.append(key, value) }
    record.append("assume", assumed == .unknown ? nil : .text(assumed.rawValue))
    record.append("notifyOnEntry", notifyOnEntry ? nil : .flag(false))
    record.append("notifyOnExit", notifyOnExit ? nil : .flag(false))
    return record
  }
}
