import Beacons
import Consent
import Instants
import RadioHealth
import Venues

/// The daemon's refusal of a request in a session.
public struct SessionRefusal: Hashable, Sendable {
  public enum Cause: Hashable, Sendable {
    /// The user does not consent. The session repeats the request after a consent.
    case noConsent
    /// No answer came in time, such as that of a person.
    case noAnswer
    /// Any other cause, which may be temporary.
    case other
  }

  public let cause: Cause
  public let reason: String

  public init(_ cause: Cause, _ reason: String) {
    (self.cause, self.reason) = (cause, reason)
  }
}

// MARK: Regions of venues

/// The daemon as the offers of venues see it.
public protocol VenueRegionLink: AnyObject {
  /// Requests the offers of all venues, in the user's language. `completion` is never called inside this call.
  func requestOffers(_ completion: @escaping (Result<[OfferReport], MonitorFailure>) -> Void)
  /// Opens a session for the regions of venues. `handler` is never called inside this call.
  func openVenueSession(_ handler: @escaping (VenueSessionEvent) -> Void) throws(MonitorFailure) -> any VenueSession
}

/// A session in which the user registers regions of venues, which outlive it.
///
/// It ends when it is released, which must not happen inside its handler.
public protocol VenueSession: AnyObject {
  /// Registers or unregisters the region of a venue; the answer is an event.
  func setRegistered(_ isRegistered: Bool, _ venue: String)
  /// Requests the venues of all registered regions, after all requests before this one.
  func requestRegistered(_ completion: @escaping (Result<Set<String>, MonitorFailure>) -> Void)
}

/// An event of a session for the regions of venues.
public enum VenueSessionEvent: Hashable, Sendable {
  /// The daemon takes requests.
  case available
  /// No session exists at present, for this reason; the session returns without a new request.
  case away(String)
  case registered(String)
  case refused(String, SessionRefusal)
  case authorization(Authorization)
}

// MARK: Observations

/// The daemon as the observer of beacons and locations sees it.
public protocol ObservingLink: AnyObject {
  /// Opens a session for ranging and locating. `handler` is never called inside this call.
  ///
  /// - Parameter isPassive: whether ranging uses only the sightings of scans for others.
  func openObservingSession(
    isPassive: Bool, _ handler: @escaping (ObservingSessionEvent) -> Void
  ) throws(MonitorFailure) -> any ObservingSession
  /// Calls `body` with the state of the daemon's source of beacons, and at each change, while the returned object is held.
  ///
  /// The state is nil while the daemon does not run, and if the user may not learn it. `body` is never called inside this call.
  func watchSource(_ body: @escaping (SourceState?) -> Void) -> AnyObject
}

/// A session that ranges beacons and locates the device; it restarts whenever the daemon returns.
///
/// It ends when it is released, which must not happen inside its handler.
public protocol ObservingSession: AnyObject {
  /// Starts ranging, or repeats a request that was refused.
  func startRanging(_ constraint: BeaconConstraint)
  /// Starts locating, or repeats a request that was refused.
  ///
  /// - Parameters:
  ///   - desiredAccuracy: one sigma in metres; zero requests the best available accuracy.
  ///   - distanceFilter: the distance in metres below which a location is not reported again; nil for every location.
  func startLocating(desiredAccuracy: Double, distanceFilter: Double?)
}

/// An event of a session for ranging and locating.
public enum ObservingSessionEvent {
  /// The daemon ranges these beacons.
  case ranging(BeaconConstraint)
  /// The beacons of a constraint that were heard in the last seconds, and the time of the snapshot.
  /// The time is that of the source, which can be another one than that of the machine.
  case beacons([BeaconReport], at: Instant)
  /// The location of the device; nil if it is unknown.
  case location(DeviceLocation?)
  case rangingRefused(BeaconConstraint, SessionRefusal)
  case locatingRefused(SessionRefusal)
  case authorization(Authorization)
  /// No session exists at present.
  case away
}
