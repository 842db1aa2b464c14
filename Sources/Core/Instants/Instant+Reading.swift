extension Instant {
  /// Parses an RFC 3339 `date-time` with any offset and up to six decimals of a second.
  /// A blank may replace the `T`, as section 5.6 allows. A leap second counts as the second after it. `nil` for any other text, including a
  /// day that the month does not have.
  public init?(rfc3339 text: String) {
    var rest = Substring(text).utf8[...]
    guard let year = rest.number(4), rest.skip("-"), let month = rest.number(2), rest.skip("-"), let day = rest.number(2),
      rest.skip("T") || rest.skip("t") || rest.skip(" "), let hour = rest.number(2), rest.skip(":"), let minute = rest.number(2),
      rest.skip(":"), let second = rest.number(2), let fraction = rest.fraction(), let offset = rest.offset(), rest.isEmpty,
      (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    let days = Self.daysSinceEpoch(year: year, month: month, day: day)
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset * 60
    self.init(microseconds: seconds * 1_000_000 + fraction)
  }

  private static func days(in month: Int64, of year: Int64) -> Int64 {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Int(month) - 1]
  }

  /// Returns the days since the Unix epoch: the inverse of `civilDate`, from the same paper, for the years 0 to 9999.
  private static func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

extension Substring.UTF8View {
  /// Parses exactly this many digits.
  fileprivate mutating func number(_ digits: Int) -> Int64? {
    let text = prefix(digits)
    guard text.count == digits, text.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
    self = dropFirst(digits)
    return text.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  }

  fileprivate mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard first == UInt8(ascii: character) else { return false }
    self = dropFirst()
    return true
  }

  /// Parses a fraction such as `.5` as microseconds; zero if there is none.
  fileprivate mutating func fraction() -> Int64? {
    guard skip(".") else { return 0 }
    let count = prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
    guard (1...6).contains(count), var value = number(count) else { return nil }
    for _ in count..<6 { value *= 10 }
    return value
  }

  /// Parses an offset as minutes east of UTC.
  fileprivate mutating func offset() -> Int64? {
    if skip("Z") || skip("z") { return 0 }
    let isWest = first == UInt8(ascii: "-")
    guard skip("+") || skip("-"), let hours = number(2), skip(":"), let minutes = number(2), hours < 24, minutes < 60 else { return nil }
    return (isWest ? -1 : 1) * (hours * 60 + minutes)
  }
}
