import ConfigurationTree

extension TOMLParser {
  /// Parses a number, a date, `true` or `false`.
  mutating func scalar() throws(TOMLSyntaxError) -> ConfigurationNode.Value {
    let start = cursor
    var word = cursor.take { $0.isInScalar }
    if Date.isDay(word), let next = cursor.next, next == UInt8(ascii: " ") {
      // A blank may separate a date and a time; otherwise it belongs to the next token.
      var ahead = cursor
      ahead.advance()
      if ahead.next?.isASCIIDigit == true {
        word += "T" + ahead.take { $0.isInScalar }
        cursor = ahead
      }
    }
    switch word {
    case "": throw start.error("\(start.found) is not a value; put text in quotes")
    case "true": return .flag(true)
    case "false": return .flag(false)
    case "inf", "+inf": return .number(.infinity)
    case "-inf": return .number(-.infinity)
    case "nan", "+nan", "-nan": return .number(.nan)
    default: break
    }
    if Date.isValid(word) { return .date(word) }
    let shown = word.utf8.count > 64 ? "\(word.prefix(64))..." : word
    guard let number = Number(word) else { throw start.error("\"\(shown)\" is not a value; put text in quotes") }
    guard let value = number.value else { throw start.error("\(shown) does not fit into 64 bits; write a smaller number") }
    return value
  }
}

/// A text in the form of a number.
private struct Number {
  /// The value; nil for an integer that does not fit.
  let value: ConfigurationNode.Value?

  init?(_ word: String) {
    // Fast path: most numbers have a few digits, and this takes a tenth of the time of the general form.
    if word.utf8.count < 19, word.utf8.allSatisfy(\.isASCIIDigit), word == "0" || !word.hasPrefix("0"), let integer = Int(word) {
      value = .integer(integer)
      return
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where word.hasPrefix(prefix) {
      guard let digits = Self.digits(word.dropFirst(2)), digits.allSatisfy({ $0.hexDigitValue.map { $0 < radix } ?? false }) else {
        return nil
      }
      value = Int(digits, radix: radix).map { .integer($0) }
      return
    }
    let unsigned = word.first == "+" || word.first == "-" ? word.dropFirst() : word[...]
    let mantissa = unsigned.prefix { $0 != "e" && $0 != "E" }
    let parts = mantissa.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = parts.first.flatMap(Self.decimalDigits), whole == "0" || !whole.hasPrefix("0"),
      parts.count == 1 || Self.decimalDigits(parts[1]) != nil
    else { return nil }
    if mantissa.count < unsigned.count {
      var exponent = unsigned.dropFirst(mantissa.count + 1)
      if exponent.first == "+" || exponent.first == "-" { exponent = exponent.dropFirst() }
      guard Self.decimalDigits(exponent) != nil else { return nil }
    }
    let plain = word.filter { $0 != "_" }
    if parts.count == 1 && mantissa.count == unsigned.count {
      value = Int(plain).map { .integer($0) }
    } else {
      // Too large a number becomes infinite, as IEEE 754 rounds it.
      value = Double(plain).map { .number($0) }
    }
  }

  private static func decimalDigits(_ text: Substring) -> String? {
    digits(text).flatMap { $0.utf8.allSatisfy(\.isASCIIDigit) ? $0 : nil }
  }

  /// Returns the digits without the underscores, each of which must stand between two digits.
  private static func digits(_ text: Substring) -> String? {
    let groups = text.split(separator: "_", omittingEmptySubsequences: false)
    return groups.allSatisfy { !$0.isEmpty } ? groups.joined() : nil
  }
}

/// RFC 3339 dates and times.
/// No key uses one, so they are only distinguished from other values and checked field by field.
private enum Date {
  static func isDay(_ word: String) -> Bool {
    guard word.utf8.count == 10 else { return false }
    let fields = word.split(separator: "-", omittingEmptySubsequences: false)
    guard fields.map(\.utf8.count) == [4, 2, 2], fields.allSatisfy({ $0.utf8.allSatisfy(\.isASCIIDigit) }),
      let year = Int(fields[0]), let month = Int(fields[1]), let day = Int(fields[2]), (1...12).contains(month)
    else { return false }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...lengths[month - 1]).contains(day)
  }

  static func isValid(_ word: String) -> Bool {
    // The shortest form is 07:32:00.
    guard word.utf8.count >= 8, word.utf8.first?.isASCIIDigit == true else { return false }
    guard let separator = word.firstIndex(where: { $0 == "T" || $0 == "t" }) else { return isDay(word) || isTime(word[...]) }
    guard isDay(String(word[..<separator])) else { return false }
    var time = word[word.index(after: separator)...]
    if time.last == "Z" || time.last == "z" {
      time = time.dropLast()
    } else if let sign = time.firstIndex(where: { $0 == "+" || $0 == "-" }) {
      guard isClock(time[time.index(after: sign)...], limits: [24, 60]) else { return false }
      time = time[..<sign]
    }
    return isTime(time)
  }

  private static func isTime(_ text: some StringProtocol) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, isClock(parts[0], limits: [24, 60, 60]) else { return false }
    return parts.count == 1 || (!parts[1].isEmpty && parts[1].utf8.allSatisfy(\.isASCIIDigit))
  }

  private static func isClock(_ text: some StringProtocol, limits: [Int]) -> Bool {
    let fields = text.split(separator: ":", omittingEmptySubsequences: false)
    return fields.count == limits.count
      && zip(fields, limits).allSatisfy { $0.utf8.count == 2 && $0.utf8.allSatisfy(\.isASCIIDigit) && (Int($0) ?? .max) < $1 }
  }
}

extension UInt8 {
  /// Whether the byte can occur in a number, a date or a word.
  fileprivate var isInScalar: Bool { isBareKey || self == UInt8(ascii: "+") || self == UInt8(ascii: ".") || self == UInt8(ascii: ":") }
}
