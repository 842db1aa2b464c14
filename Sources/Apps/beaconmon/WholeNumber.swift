import ArgumentParser

extension FixedWidthInteger {
  /// Parses an argument: a whole number that the type can hold.
  static func parse(_ text: String) throws -> Self {
    try parse(text, in: Self.min...Self.max)
  }

  /// Parses an argument: a whole number in a range.
  static func parse(_ text: String, in range: ClosedRange<Self>) throws -> Self {
    guard let number = Self(text), range.contains(number) else {
      throw ValidationError("write a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
