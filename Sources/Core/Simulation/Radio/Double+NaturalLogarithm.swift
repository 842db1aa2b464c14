extension Double {
  /// The natural logarithm of a positive finite number, accurate to about 1 in 10¹⁵.
  /// Its bits are the same on every machine, which no C library guarantees.
  ///
  /// ln(m·2ᵉ) = e ln 2 + 2 artanh((m − 1) / (m + 1)) with m between √½ and √2, where the series needs ten terms (Abramowitz and Stegun,
  /// 4.1.27).
  var naturalLogarithm: Double {
    var (power, fraction) = (Double(exponent), significand)
    if fraction > 1.4142135623730951 {
      fraction /= 2
      power += 1
    }
    let ratio = (fraction - 1) / (fraction + 1)
    let square = ratio * ratio
    var sum = 0.0
    var odd = 21.0
    while odd >= 1 {
      sum = sum * square + 1 / odd
      odd -= 2
    }
    return power * 0.6931471805599453 + 2 * ratio * sum
  }

  /// The ratio of two powers in dB.
  var decibels: Double { 4.342944819032518 * naturalLogarithm }
}
