extension Span {
  /// Parses a duration as in the config and on the command line: `"1.5s"`, `"250ms"`, `"2m"`, `"1h"`, `"30d"`.
  /// The text is a positive decimal number and a unit. `nil` for any other text, including a number without a unit.
  public init?(text: String) {
    let units: [(suffix: String, microseconds: Int64)] = [
      ("ms", 1000), ("s", 1_000_000), ("m", 60_000_000), ("h", 3_600_000_000), ("d", 86_400_000_000),
    ]
    guard let unit = units.first(where: { text.hasSuffix($0.suffix) }) else { return nil }
    let number = text.dropLast(unit.suffix.count)
    guard number.first?.isASCIIDigit == true, number.last?.isASCIIDigit == true,
      number.allSatisfy({ $0.isASCIIDigit || $0 == "." }), let value = Double(number)
    else { return nil }
    let microseconds = (value * Double(unit.microseconds)).rounded()
    guard microseconds <= 1e15 else { return nil }
    self.init(microseconds: Int64(microseconds))
  }

  /// The shortest exact text that `init(text:)` can parse: `"30s"`, `"2m"`, `"1500ms"`.
  public var text: String {
    let units: [(suffix: String, microseconds: Int64)] = [
      ("d", 86_400_000_000), ("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1000),
    ]
    for unit in units where microseconds != 0 && microseconds % unit.microseconds == 0 {
      return "\(microseconds / unit.microseconds)\(unit.suffix)"
    }
    return microseconds == 0 ? "0s" : "\(seconds)s"
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
