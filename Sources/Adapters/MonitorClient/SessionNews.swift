import Consent
import DBus
import Events
import Instants
import Records
import Regions

/// One thing that a session is asked to do for as long as it lives.
public enum SessionWish: Hashable, Sendable {
  case ranging(BeaconConstraint)
  /// The region of this identifier.
  case monitoring(String)
  /// Where the device is.
  case locating
}

/// What a session tells its program.
public enum SessionNews: Hashable, Sendable {
  /// All that was asked for is with the daemon; the gap is the time before in which it was not, after a loss.
  case available(after: SessionGap?)
  /// There is no session, for this reason; it comes back by itself.
  case away(DBusError)
  case authorization(Authorization, reason: String)
  case began(SessionWish)
  /// It goes on waiting: for consent where that is what is missing, else until it is asked for again or the daemon comes back.
  case refused(SessionWish, DBusError)
  /// The daemon keeps the region of this identifier from now on, beyond the session.
  case registered(String)
  /// That region was to be registered, or unregistered. It waits as what is `refused` does; the consent that it waits for is "always".
  case registrationRefused(String, DBusError)
  /// What the device can do, as `Session.Capabilities` tells it.
  case capabilities([String])
  /// Where the device is, with the keys of `Session.LocationUpdated`.
  case located(Record)
  /// No source knows where it is, for this reason; they go on trying.
  case locationUnknown(String)
  /// Whether it stays where it is.
  case stationary(Bool)
  /// The search of this number is over.
  case searched(UInt64, Result<Record, DBusError>)
  case ranged(BeaconConstraint, RangingSnapshot)
  /// How a region stands, because that is new or was requested; the keys are those of `Session.RequestState`.
  case state(String, Record)
  /// An event at a region of the session.
  case event(Event)
}

/// A time, by the wall clock, in which nothing was told. What changed in it is told after it as a change of state.
public struct SessionGap: Hashable, Sendable {
  public let from: Instant
  public let to: Instant

  public init(from: Instant, to: Instant) {
    self.from = from
    self.to = to
  }
}
