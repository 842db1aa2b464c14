/// A date as a year with a fraction, as magnetic models count time.
public enum DecimalYear {
  /// Returns the decimal year of a time in seconds since the Unix epoch; 1 July 2026 is about 2026.5.
  /// Returns nil for a time that is not finite, and outside of the years 1 to 9999.
  public static func at(unixTime: Double) -> Double? {
    guard unixTime.isFinite, (-62_135_596_800..<253_402_300_800).contains(unixTime) else { return nil }
    let days = unixTime / 86_400
    // The mean year of the Gregorian calendar finds the year or its neighbour.
    var year = Int((1970 + days / 365.2425).rounded(.down))
    if days < Double(daysBefore(year)) { year -= 1 }
    if days >= Double(daysBefore(year + 1)) { year += 1 }
    let length = daysBefore(year + 1) - daysBefore(year)
    return Double(year) + (days - Double(daysBefore(year))) / Double(length)
  }

  /// Returns the days from 1 January 1970 to 1 January of a year of the Gregorian calendar, from the year 1 on.
  private static func daysBefore(_ year: Int) -> Int {
    let past = year - 1
    return 365 * past + past / 4 - past / 100 + past / 400 - 719_162
  }
}
