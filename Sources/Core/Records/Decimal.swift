/// Decimal numbers with a fixed number of places, the same on every machine.
public enum Decimal {
  /// Returns `value` rounded half away from zero to `decimals` places (0 to 9), with trailing zeros.
  /// `nil` unless `value` is finite and below 1e12, or below 1e9 with more than 6 places.
  public static func text(_ value: Double, decimals: Int) -> String? {
    guard value.isFinite, value.magnitude < (decimals > 6 ? 1e9 : 1e12) else { return nil }
    var unit: Int64 = 1
    for _ in 0..<decimals { unit *= 10 }
    let scaled = Int64((value * Double(unit)).rounded())
    let (whole, fraction) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt64(unit))
    let sign = scaled < 0 ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(whole)" }
    let digits = String(fraction)
    return "\(sign)\(whole).\(String(repeating: "0", count: decimals - digits.count))\(digits)"
  }

  /// Returns `value` as a double with at most `decimals` places.
  public static func rounded(_ value: Double, decimals: Int) -> Double {
    var unit = 1.0
    for _ in 0..<decimals { unit *= 10 }
    return (value * unit).rounded() / unit
  }
}
