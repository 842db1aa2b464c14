import Instants

/// The kinds of data that expire. The raw value is the name in the table `retention`.
public enum RetentionKind: String, CaseIterable, Sendable {
  case digest
  case event
  case roomChange = "room_change"
  case visit
  case audit
  /// Tags without a name, since they were heard last.
  case beacon
  /// Messages of the hub to devices.
  case message
  /// The key of the pseudonyms of visits.
  case visitKey = "visit_key"

  /// The name on the command line and in reports.
  public var name: String {
    switch self {
    case .digest: "digest"
    case .event: "event"
    case .roomChange: "room-change"
    case .visit: "visit"
    case .audit: "audit"
    case .beacon: "tag"
    case .message: "message"
    case .visitKey: "visit-key"
    }
  }

  public init?(name: String) {
    guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = kind
  }

  /// The data in words.
  public var summary: String {
    switch self {
    case .digest: "raw digests of sightings"
    case .event: "events"
    case .roomChange: "room changes of tags"
    case .visit: "pseudonymous visits"
    case .audit: "the audit log"
    case .beacon: "tags without a name that are not heard"
    case .message: "messages to devices; acknowledged ones for a day"
    case .visitKey: "the key of the pseudonyms"
    }
  }

  /// The shortest and the longest time in hours: an hour, and ten years.
  public static let hours = 1...87_840

  /// Returns the hours of a time such as `24h` or `30d`; nil if it is not one of whole hours in a range.
  public static func hours(of text: String, in range: ClosedRange<Int> = hours) -> Int? {
    let hour = Span.seconds(3600)
    guard let span = Span(text: text), span.microseconds % hour.microseconds == 0 else { return nil }
    let hours = Int(span.microseconds / hour.microseconds)
    return range.contains(hours) ? hours : nil
  }
}
