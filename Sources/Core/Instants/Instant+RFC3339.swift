extension Instant {
  /// The time as RFC 3339 in UTC with microseconds, `2020-02-09T12:44:44.779766Z`.
  /// The instant must count from the Unix epoch.
  ///
  /// Civil dates follow the proleptic Gregorian calendar; the year has at least four digits. The algorithm converts days to a civil date by
  /// 400-year eras, as in Hinnant, "chrono-Compatible Low-Level Date Algorithms".
  public var rfc3339: String {
    let microsecondsPerDay: Int64 = 86_400_000_000
    let day = microseconds.flooredQuotient(by: microsecondsPerDay)
    // The difference to the beginning of the day would overflow: the earliest day begins before the earliest instant.
    let inDay = (microseconds % microsecondsPerDay + microsecondsPerDay) % microsecondsPerDay
    let (year, month, dayOfMonth) = Self.civilDate(daysSinceEpoch: day)
    let seconds = inDay / 1_000_000
    return """
      \(year.padded(4))-\(month.padded(2))-\(dayOfMonth.padded(2))\
      T\((seconds / 3600).padded(2)):\((seconds / 60 % 60).padded(2)):\((seconds % 60).padded(2))\
      .\((inDay % 1_000_000).padded(6))Z
      """
  }

  static func civilDate(daysSinceEpoch: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = daysSinceEpoch + 719_468  // days since 0000-03-01
    let era = shifted.flooredQuotient(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153  // March is 0
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}

extension Int64 {
  fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  fileprivate func padded(_ width: Int) -> String {
    let digits = String(magnitude)
    return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}
