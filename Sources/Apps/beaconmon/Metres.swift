import ArgumentParser

/// A length as an argument: `10m`, `1.5km`, or metres without a unit.
enum Metres {
  static func parse(_ text: String) throws -> Double {
    let units: [(suffix: String, metres: Double)] = [("km", 1000), ("m", 1), ("", 1)]
    for unit in units where text.hasSuffix(unit.suffix) {
      guard let number = Double(text.dropLast(unit.suffix.count)), number.isFinite, number >= 0 else { break }
      return number * unit.metres
    }
    throw ValidationError("\"\(text)\" is not a length; write a number and m or km, such as 10m")
  }
}
