import Records

/// A value and its accuracy with the digits that the accuracy supports.
/// It has two digits of the accuracy, and as many decimals of the value (JCGM 100:2008, 7.2.6).
struct MeasurementText {
  private static let mostDecimals = 2

  let value: String
  /// The accuracy; nil if it is unknown.
  let accuracy: String?
  /// The unit of the last digit that is shown.
  let step: Double

  /// - Parameter accuracy: one standard deviation; nil if it is unknown.
  init(_ value: Double, accuracy: Double?) {
    guard let accuracy, accuracy > 0 else {
      step = 0.01
      self.value = Decimal.text(value, decimals: Self.mostDecimals) ?? "?"
      self.accuracy = nil
      return
    }
    // The second digit of the accuracy after rounding: 9.96 is shown as 10.
    var (step, decimals) = (0.01, Self.mostDecimals)
    while (accuracy / step).rounded() >= 100, step < 1e9 {
      step *= 10
      decimals = Swift.max(0, decimals - 1)
    }
    self.step = step
    self.value = Self.text(value, step, decimals)
    self.accuracy = Self.text(accuracy, step, decimals)
  }

  private static func text(_ value: Double, _ step: Double, _ decimals: Int) -> String {
    Decimal.text(decimals > 0 ? value : (value / step).rounded() * step, decimals: decimals) ?? "?"
  }
}

extension Double {
  /// A share of one as whole percent, such as `87 %`.
  var percent: String { (Decimal.text(self * 100, decimals: 0) ?? "?") + " %" }
}
