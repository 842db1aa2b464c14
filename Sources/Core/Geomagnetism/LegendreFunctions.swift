/// The Schmidt semi-normalised associated Legendre functions of one colatitude.
///
/// The quotient by the sine of the colatitude has a recursion of its own, so that nothing is divided by zero at the poles.
/// Source: Langel, The Main Field, in Jacobs (ed.), Geomagnetism, vol. 1, 1987.
struct LegendreFunctions {
  struct Value {
    var value = 0.0
    /// The derivative with respect to the colatitude in radians.
    var derivative = 0.0
    /// The value divided by the sine of the colatitude; 0 for order 0.
    var overSine = 0.0
  }

  /// The functions of degree n and order m at n (n + 1) / 2 + m.
  private(set) var values: [Value]

  init(degree: Int, sineOfColatitude s: Double, cosineOfColatitude c: Double) {
    values = [Value](repeating: Value(), count: (degree + 1) * (degree + 2) / 2)
    values[0].value = 1
    for n in 1...degree {
      let (start, before, second) = (n * (n + 1) / 2, n * (n - 1) / 2, (n - 1) * (n - 2) / 2)
      for m in 0..<n {
        let previous = values[before + m]
        let older = m < n - 1 ? values[second + m] : Value()
        let (a, b) = (Double(2 * n - 1), Double((n - 1) * (n - 1) - m * m).squareRoot())
        let norm = 1 / Double(n * n - m * m).squareRoot()
        values[start + m] = Value(
          value: (a * c * previous.value - b * older.value) * norm,
          derivative: (a * (c * previous.derivative - s * previous.value) - b * older.derivative) * norm,
          overSine: (a * c * previous.overSine - b * older.overSine) * norm)
      }
      let diagonal = values[before + n - 1]
      let factor = n == 1 ? 1 : (Double(2 * n - 1) / Double(2 * n)).squareRoot()
      values[start + n] = Value(
        value: factor * s * diagonal.value, derivative: factor * (s * diagonal.derivative + c * diagonal.value),
        overSine: n == 1 ? 1 : factor * s * diagonal.overSine)
    }
  }
}
