import ArgumentParser
import Captures
import Instants
import LocationArbitration

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

extension Span {
  /// Parses an argument.
  static func parse(_ text: String) throws -> Span {
    guard let span = Span(text: text) else {
      throw ValidationError("\"\(text)\" is not a duration; write a number and ms, s, m or h, such as 10m")
    }
    return span
  }
}

extension DesiredAccuracy {
  /// Parses an argument.
  static func parse(_ text: String) throws -> DesiredAccuracy {
    if let accuracy = DesiredAccuracy(className: text) { return accuracy }
    guard let accuracy = DesiredAccuracy(metres: try Metres.parse(text)) else {
      throw ValidationError("\"\(text)\" is not an accuracy; write a length such as 10m, or one of \(classNames.joined(separator: ", "))")
    }
    return accuracy
  }
}

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

extension CapturePlayback.Pace {
  /// Parses an argument: a number above zero, or `max`.
  static func parse(_ text: String) throws -> CapturePlayback.Pace {
    if text == "max" { return .unpaced }
    guard let speed = Double(text), speed > 0, speed <= 1e6 else {
      throw ValidationError("write a number greater than 0 and up to 1000000, or max")
    }
    return .speed(speed)
  }
}
