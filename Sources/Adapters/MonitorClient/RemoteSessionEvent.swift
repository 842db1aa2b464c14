import Beacons
import Consent
import DBus
import Events
import Instants
import Locations

/// A continuous request to a session.
public enum SessionRequest: Hashable, Sendable {
  case ranging(BeaconConstraint)
  /// Monitoring of the region with this identifier.
  case monitoring(String)
  /// Updates of the device's location.
  case locating
  /// Updates of the device's heading.
  case heading
  /// Guidance to a destination.
  case guiding
  /// The appointment of this key.
  case appointment(String)
}

extension SessionRequest {
  var isAppointment: Bool { if case .appointment = self { true } else { false } }
}

/// An event of a session for its program.
public enum RemoteSessionEvent: Hashable, Sendable {
  /// The daemon has received all requests. After a loss, the gap is the preceding time without a session; nil the first time.
  case available(after: SessionGap?)
  /// No session, for this reason; the session returns automatically.
  case away(DBusError)
  case authorization(Authorization, reason: String)
  /// The daemon has granted the request: monitoring the first time, ranging and locating with each session and consent.
  case began(SessionRequest)
  /// The request is refused and waits.
  ///
  /// A request without consent waits for consent. Any other waits until it is repeated or the daemon returns.
  case refused(SessionRequest, DBusError)
  /// The daemon has registered the region of this identifier, which outlives the session.
  case registered(String)
  /// Registering or unregistering the region of this identifier is refused.
  ///
  /// The request waits like a `refused` one; the consent that it waits for is `always`.
  case registrationRefused(String, DBusError)
  /// The capabilities of the device, with the names of `Session.Capabilities`.
  case capabilities([String])
  /// The required capabilities that the device lacks.
  case missing([MissingCapability])
  /// The location of the device.
  case located(LocationReport)
  /// No source knows the location, for this reason; the sources keep trying.
  case locationUnknown(String)
  /// True if the device is at rest.
  case stationary(Bool)
  /// The heading of the device, or a change of its state.
  case heading(RemoteHeadingEvent)
  /// The guidance, or a change of its state.
  case guidance(RemoteGuidanceEvent)
  /// Advice for the appointment of this key.
  case appointment(String, Event)
  /// The search of this number has ended.
  case searched(UInt64, Result<LocationReport, DBusError>)
  case ranged(BeaconConstraint, RangingSnapshot)
  /// The state of a region, which has changed or was requested.
  case state(String, RegionReport)
  /// An event at a region of the session.
  case event(Event)
  /// An event of an expected beacon.
  case expectedBeacon(Event)
  /// The user of the program may not receive the events of expected beacons.
  case expectedBeaconsRefused(DBusError)
}

/// A time by the wall clock in which the session received nothing. The changes of state during the gap follow it.
public struct SessionGap: Hashable, Sendable {
  public let from: Instant
  public let to: Instant

  public init(from: Instant, to: Instant) {
    self.from = from
    self.to = to
  }
}
