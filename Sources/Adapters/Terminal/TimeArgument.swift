import Instants

/// A time in a person's notation on the command line: an age, a day, or a date and time.
public enum TimeArgument: Hashable, Sendable {
  case ago(Span)
  case at(Instant)
  /// A date and time in the zone of the screen, local or UTC, stored as if that were UTC.
  case onCalendar(Instant)
  /// Midnight at the beginning of a day, counted back from today.
  case daysAgo(Int64)
  /// Midnight at the beginning of the latest such day, today included; 0 is Sunday.
  case weekday(Int64)

  private static let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
  private static let day = Span.seconds(86_400)

  /// Parses a time; nil for any other text.
  /// The forms are `2h`, `2026-11-21T08:00:00Z`, `2026-11-21`, `2026-11-21 08:00`, `today`, `yesterday`, and `monday` or `mon`.
  public init?(_ text: String) {
    let word = text.lowercased()
    if let span = Span(text: text) {
      self = .ago(span)
    } else if let instant = Instant(rfc3339: text) {
      self = .at(instant)
    } else if let instant = ["", ":00", "T00:00:00"].lazy.compactMap({ Instant(rfc3339: "\(text)\($0)Z") }).first {
      self = .onCalendar(instant)
    } else if word == "today" || word == "yesterday" {
      self = .daysAgo(word == "today" ? 0 : 1)
    } else if let weekday = Self.weekdays.firstIndex(where: { $0 == word || $0.prefix(3) == word }) {
      self = .weekday(Int64(weekday))
    } else {
      return nil
    }
  }

  /// - Parameters:
  ///   - now: counts from the Unix epoch.
  ///   - format: the time that days and dates are in.
  public func instant(now: Instant, in format: TimeFormat) -> Instant {
    /// Midnight today, as if the screen's time were UTC.
    let today = Instant(rfc3339: "\(format.day(now))T00:00:00Z") ?? now
    switch self {
    case .ago(let span): return now - span
    case .at(let instant): return instant
    case .onCalendar(let instant): return format.instant(shownAs: instant)
    case .daysAgo(let days): return format.instant(shownAs: today - Self.day * Double(days))
    case .weekday(let weekday):
      // The Unix epoch began on a Thursday.
      let todays = (today.microseconds / Self.day.microseconds + 4) % 7
      return format.instant(shownAs: today - Self.day * Double((todays - weekday + 7) % 7))
    }
  }
}
