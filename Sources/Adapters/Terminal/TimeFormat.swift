import EventLoop
import Instants

/// A format of times for a person: UTC with a `Z` after it, or local time without one.
public struct TimeFormat: Sendable {
  /// Returns local time's distance from UTC at an instant; nil for UTC.
  private let offset: (@Sendable (Instant) -> Span)?

  private init(_ offset: (@Sendable (Instant) -> Span)?) {
    self.offset = offset
  }

  public static let utc = TimeFormat(nil)

  /// The local time zone of `TZ`, or the machine's if that is not set.
  public static var local: TimeFormat {
    TimeFormat { WallClock.utcOffset(at: $0) }
  }

  static func zone(_ offset: @escaping @Sendable (Instant) -> Span) -> TimeFormat { TimeFormat(offset) }

  /// Returns a zone with a constant distance from UTC.
  static func fixed(_ offset: Span) -> TimeFormat { TimeFormat { _ in offset } }

  /// Returns the date and the time with milliseconds: `2026-11-21 09:51:02.123`.
  func millisecond(_ time: Instant) -> String { "\(text(time, 23))\(mark)" }

  /// Returns the date and the time: `2026-11-21 09:51:02`.
  public func text(_ time: Instant) -> String { second(time) }

  func second(_ time: Instant) -> String { "\(text(time, 19))\(mark)" }

  /// Returns the time of the day: `09:51:02`.
  func clock(_ time: Instant) -> String { "\(text(time, 19).dropFirst(11))\(mark)" }

  /// Returns the date: `2026-11-21`.
  func day(_ time: Instant) -> String { text(time, 10) }

  /// Returns the instant that this format shows as UTC would show `shown`.
  /// If a clock was set back, it is the first of two; if the clock was set forward, it is the first that exists.
  func instant(shownAs shown: Instant) -> Instant {
    guard let offset else { return shown }
    // One candidate before a change of the offset and one after it.
    let candidates = [Span.seconds(-86_400), .seconds(86_400)].map { shown - offset(shown + $0) }
    let exact = candidates.filter { $0 + offset($0) == shown }
    return exact.min() ?? candidates.max() ?? shown
  }

  /// The width in columns of the functions above, for times until the year 9999.
  var millisecondWidth: Int { 23 + mark.count }
  var secondWidth: Int { 19 + mark.count }
  var clockWidth: Int { 8 + mark.count }

  private var mark: String { offset == nil ? "Z" : "" }

  private func text(_ time: Instant, _ length: Int) -> String {
    let shifted = offset.map { time + $0(time) } ?? time
    return String(shifted.rfc3339.prefix(length).map { $0 == "T" ? " " : $0 })
  }
}
