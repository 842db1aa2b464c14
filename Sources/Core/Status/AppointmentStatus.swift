import Instants
import Records

/// An appointment, and the time to leave for it.
public struct AppointmentStatus: RecordRepresentable, Hashable {
  /// The title in the language of the daemon; nil without one.
  public var title: String?
  /// The beginning since the Unix epoch.
  public var time: Instant?
  /// The name of the place.
  public var place: String?
  public var placeID: String?
  /// The id of the venue.
  public var venue: String?
  /// The calendar that has the appointment; nil for one of the config or of a venue file.
  public var calendar: String?
  public var state: State?
  /// The time to leave since the Unix epoch, by the last known position; nil without one.
  public var leaveTime: Instant?
  /// The time until then, in whole seconds; zero when it is time to leave.
  public var leaveIn: Span?
  /// The time of the way, by the last known position.
  public var travelTime: Span?
  /// The reason why the time to leave is unknown; nil if it is known, or not needed yet.
  public var note: String?

  /// The state of the advice.
  public enum State: String, CaseIterable, Sendable, RecordFieldValue {
    /// The time to leave has not come yet.
    case waiting
    /// The advice to leave was sent.
    case depart
    /// The advice to hurry was sent.
    case hurry
    /// The visitor is at the place.
    case arrived
    /// The appointment has begun, and no position shows yet whether the visitor is there.
    case begun
    /// The visitor was not at the place at the beginning.
    case missed
    /// The beginning is over, and no position has shown whether the visitor was there after the advice to leave.
    case unknown
    /// The beginning is over, and its advice was not needed or not possible.
    case past
  }

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("title", \.title),
    RecordField("time", \.time),
    RecordField("place", \.place),
    RecordField("placeId", \.placeID),
    RecordField("venue", \.venue),
    RecordField("calendar", \.calendar),
    RecordField("state", \.state),
    RecordField("leaveTime", \.leaveTime),
    RecordField("leaveIn", \.leaveIn),
    RecordField("travelTime", \.travelTime),
    RecordField("note", \.note),
  ]
}
