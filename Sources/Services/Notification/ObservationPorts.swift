import Beacons
import FleetReporting
import Instants

/// The observations of beacons and of the device's location in a session of the daemon.
public protocol ObservationLink: DigestBeacons {
  /// Observes while the returned object is held. `body` is never called inside this call.
  func observe(_ demand: ObservationDemand, _ body: @escaping (Observation) -> Void) -> AnyObject
}

extension ObservationLink {
  public func rangePassively(_ constraints: Set<BeaconConstraint>, _ body: @escaping ([BeaconReport], Instant) -> Void) -> AnyObject {
    observe(ObservationDemand(constraints, isPassive: true)) { if case .beacons(let reports, let time) = $0 { body(reports, time) } }
  }
}

/// The observations that targets need.
public struct ObservationDemand: Hashable, Sendable {
  public var constraints: Set<BeaconConstraint>
  public var needsLocation: Bool
  /// Whether the observation uses only the sightings of scans for others.
  public var isPassive: Bool

  public init(_ constraints: Set<BeaconConstraint> = [], needsLocation: Bool = false, isPassive: Bool = false) {
    (self.constraints, self.needsLocation, self.isPassive) = (constraints, needsLocation, isPassive)
  }

  public var isEmpty: Bool { constraints.isEmpty && !needsLocation }
}

public enum Observation {
  /// The beacons of a constraint that were heard in the last seconds, and the time of the snapshot.
  /// The time is that of the source, which can be another one than that of the machine.
  case beacons([BeaconReport], at: Instant)
  /// Whether the absence of a beacon from the reports means that it is not in range.
  case listening(Bool)
  /// The location of the device; nil if it is unknown.
  case location(DeviceLocation?)
}

/// The location of the device in the values that Home Assistant takes.
public struct DeviceLocation: Hashable, Sendable {
  /// Degrees, WGS84.
  public var latitude: Double
  /// Degrees, WGS84.
  public var longitude: Double
  /// Metres, one sigma; nil if it is unknown.
  public var accuracy: Double?
  /// The place, the level and the venue in one line.
  public var description: String?

  public init(latitude: Double, longitude: Double, accuracy: Double? = nil, description: String? = nil) {
    (self.latitude, self.longitude, self.accuracy, self.description) = (latitude, longitude, accuracy, description)
  }
}
