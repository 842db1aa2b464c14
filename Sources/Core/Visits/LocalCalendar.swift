public import Instants

/// The days and hours of a place on the earth, from the distance of its time from UTC.
///
/// A day is a number: the days since 1 January 1970 in local time.
public struct LocalCalendar: Sendable {
  private let offset: @Sendable (Instant) -> Span

  /// - Parameter offset: returns local time's distance from UTC at a time since the Unix epoch.
  public init(offset: @escaping @Sendable (Instant) -> Span) {
    self.offset = offset
  }

  /// The calendar of UTC.
  public static let utc = LocalCalendar { _ in .zero }

  static let dayLength: Int64 = 86_400_000_000
  private static let hourLength: Int64 = 3_600_000_000

  /// Returns the day of a time since the Unix epoch.
  public func day(of time: Instant) -> Int {
    let (day, rest) = (time + offset(time)).microseconds.quotientAndRemainder(dividingBy: Self.dayLength)
    return Int(rest < 0 ? day - 1 : day)
  }

  /// Returns the hour of the day, from 0 to 23.
  public func hour(of time: Instant) -> Int {
    let rest = (time + offset(time)).microseconds % Self.dayLength
    return Int((rest < 0 ? rest + Self.dayLength : rest) / Self.hourLength)
  }

  /// Returns the time at which a day begins; on the day of a change of the clock this may differ by that change.
  public func start(of day: Int) -> Instant {
    let midnight = Instant(microseconds: Int64(day).multipliedReportingOverflow(by: Self.dayLength).partialValue)
    return midnight - offset(midnight - offset(midnight))
  }

  /// Returns a day as in ISO 8601, such as `2026-11-24`.
  public static func text(of day: Int) -> String {
    String(Instant(microseconds: Int64(day).multipliedReportingOverflow(by: dayLength).partialValue).rfc3339.prefix(10))
  }

  /// Returns the day that `text` of a day names; nil for any other text.
  public static func day(_ text: String) -> Int? {
    guard text.utf8.count == 10, let start = Instant(rfc3339: "\(text)T00:00:00Z") else { return nil }
    return utc.day(of: start)
  }
}
