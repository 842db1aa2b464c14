import Instants
import LocationArbitration
import Locations
import Venues
import Wayfinding

/// The clock of appointments, which wakes the service at a time since the Unix epoch.
///
/// It also wakes the service after the clock was set, and after the machine was suspended.
public protocol DepartureAlarm: AnyObject {
  /// The time since the Unix epoch.
  var now: Instant { get }
  /// Runs at the set time, and when the clock was set.
  var onAlarm: () -> Void { get set }
  /// Sets the next time; `.never` ends the alarm.
  func arm(at time: Instant)
}

/// The locations of the device, which the service asks for one at a time.
public protocol DepartureLocations: AnyObject {
  /// Starts a search for one location. Its outputs go to `DepartureService.take(_:)`.
  ///
  /// - Parameter timeout: on the clock of the locations, which may differ from that of the appointments.
  func searchForDeparture(_ accuracy: DesiredAccuracy, timeout: Span)
  /// Ends the search without an answer.
  func endDepartureSearch()
}

/// A file of the stages of appointments, so that no advice is repeated after a restart.
public protocol DepartureFile: AnyObject {
  /// Returns all stages; nil if they could not be read, in which case the service tries again.
  func loadDepartures() -> [StoredDeparture]?
  /// Replaces all stages; returns false if they could not be stored.
  @discardableResult
  func save(_ departures: [StoredDeparture]) -> Bool
}

/// A calendar, which is read again when it changes.
public protocol CalendarReading: AnyObject {
  /// The receiver of the content after each reading; it is not called before `read`.
  var onContent: (CalendarContent) -> Void { get set }
  /// Reads the calendar in the background, and from then on after each change.
  func read()
}

/// The stage that the advice for an appointment has reached.
public struct StoredDeparture: Hashable, Sendable {
  public var id: PlannedAppointment.ID
  public var stage: DepartureAdvisor.Stage

  public init(id: PlannedAppointment.ID, stage: DepartureAdvisor.Stage) {
    (self.id, self.stage) = (id, stage)
  }
}

/// An appointment at a place in a venue.
public struct PlannedAppointment: Hashable, Sendable {
  /// The identity: two appointments at one place and time are one.
  public struct ID: Hashable, Sendable {
    /// The id of the venue.
    public var venue: String
    /// The id of the place.
    public var place: String
    public var start: Instant

    public init(venue: String, place: String, start: Instant) {
      (self.venue, self.place, self.start) = (venue, place, start)
    }

    /// The identity as text, such as `gallery/lodestone/2026-12-01T14:00:00.000Z`.
    public var text: String { "\(venue)/\(place)/\(start.rfc3339)" }
  }

  public var id: ID
  public var title: LocalizedText
  /// The time before an appointment at which the visitor wants to arrive.
  public var margin: Span
  /// The calendar that has it; nil for one of a venue file, of the config or of a session.
  public var calendar: String?

  public init(id: ID, title: LocalizedText = LocalizedText(), margin: Span = Appointment.defaultMargin, calendar: String? = nil) {
    (self.id, self.title, self.margin, self.calendar) = (id, title, margin, calendar)
  }

  public init(_ appointment: Appointment, venue: String) {
    self.init(
      id: ID(venue: venue, place: appointment.place, start: appointment.at), title: appointment.title, margin: appointment.margin)
  }
}

/// The program to which advice goes.
public enum AppointmentOwner: Hashable, Sendable {
  /// The owner of the device, by the config, venue files and calendars.
  case device
  /// A session, by a number that the caller chooses.
  case session(UInt32)
}

/// Advice for an appointment.
public struct DepartureAdvice: Hashable, Sendable {
  public let owner: AppointmentOwner
  public let appointment: PlannedAppointment
  public let advice: DepartureAdvisor.Advice
  /// The time of the decision since the Unix epoch.
  public let time: Instant
  /// The way by the last known position; nil if it is unknown.
  public let travel: TravelEstimate?

  public init(
    owner: AppointmentOwner, appointment: PlannedAppointment, advice: DepartureAdvisor.Advice, time: Instant, travel: TravelEstimate?
  ) {
    (self.owner, self.appointment, self.advice, self.time, self.travel) = (owner, appointment, advice, time, travel)
  }
}

/// The visitor's needs, by the config.
public struct WalkingSettings: Hashable, Sendable {
  /// The speed in m/s on the floor until a fix reports or guidance measures one; nil for that of the profile.
  public var speed: Double?
  /// Whether every way must be known to be accessible.
  public var isAccessible: Bool

  public init(speed: Double? = nil, isAccessible: Bool = false) {
    (self.speed, self.isAccessible) = (speed, isAccessible)
  }

  public var profile: RouteProfile {
    let usual: RouteProfile = isAccessible ? .accessible : .shortest
    return RouteProfile(speed: speed ?? usual.speed, isAccessible: isAccessible)
  }
}
