import FoundationEssentials

/// An appointment at a place of a venue, for which the service says when to leave.
public struct Appointment: Hashable, Sendable {
  /// The id of the place, or its title in any language.
  public var place: String
  /// The beginning.
  public var date: Date
  /// The id of the venue, which is required if several have the place.
  public var venue: String?
  /// A text for people.
  public var title: String?
  /// The time before an appointment at which the visitor wants to arrive, at most a day.
  public var margin: Duration

  public init(at place: String, date: Date, venue: String? = nil, title: String? = nil, margin: Duration = .seconds(300)) {
    (self.place, self.date, self.venue, self.title, self.margin) = (place, date, venue, title, margin)
  }
}

/// Advice for an appointment. Each kind comes at most once.
public struct AppointmentEvent: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    /// The time of the way and the margin are left.
    case depart
    /// The time left is that of the way.
    case hurry
    /// The visitor is there, after `depart` or `hurry`.
    case arrive
    /// The appointment has begun, and the visitor is not there.
    case miss
  }

  public let kind: Kind
  public let appointment: Appointment
  /// The name of the place in the language of the service.
  public let placeName: String?
  /// The time of the decision.
  public let date: Date
  /// The time of the way from the last known position; nil if it is unknown, and after `arrive`.
  public let travelTime: Duration?
  /// The metres of that way.
  public let travelDistance: Double?
}

/// An element of `LocationManager.appointmentUpdates`.
public enum AppointmentUpdate: Hashable, Sendable {
  case event(AppointmentEvent)
  /// The service refuses the appointment, which is repeated when consent returns.
  case failed(Appointment, LocationError)
  /// A time without advice. Advice that is still due follows.
  case gap(ServiceGap)
}
