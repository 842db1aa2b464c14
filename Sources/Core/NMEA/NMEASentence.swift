/// A line with a valid checksum: `$GPGGA,…*61` (NMEA 0183, section 5.3).
struct NMEASentence {
  /// The last three letters of the address, which do not name the talker.
  /// It is nil for a proprietary sentence, and for an encapsulated one, which begins with `!`.
  let formatter: String?
  /// The fields without the address.
  private let fields: [ArraySlice<UInt8>]

  /// Parses a line.
  ///
  /// - Parameter line: without the line end.
  init(_ line: [UInt8]) throws(NMEAFault) {
    guard let first = line.first, first == UInt8(ascii: "$") || first == UInt8(ascii: "!"), line.allSatisfy({ (0x20...0x7E).contains($0) })
    else { throw .garbage }
    let star = line.count - 3
    guard star > 0, line[star] == UInt8(ascii: "*"), let sum = Self.octet(line[(star + 1)...]) else { throw .checksum }
    let content = line[1..<star]
    guard content.reduce(0, ^) == sum else { throw .checksum }
    let parts = content.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    let address = parts[0]
    guard !address.isEmpty else { throw .garbage }
    let isOrdinary = first == UInt8(ascii: "$") && address.count == 5 && address.first != UInt8(ascii: "P")
    formatter = isOrdinary ? String(decoding: address.suffix(3), as: UTF8.self) : nil
    fields = Array(parts.dropFirst())
  }

  /// Parses two hexadecimal digits.
  private static func octet(_ digits: ArraySlice<UInt8>) -> UInt8? {
    guard digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-") else { return nil }
    return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  func require(fields count: Int) throws(NMEAFault) {
    guard fields.count >= count else { throw .field }
  }

  /// Returns a field by its number, from 1 as in the documentation of the sentences.
  /// Nil if it is empty, or absent because the receiver uses an older version.
  private func field(_ number: Int) -> ArraySlice<UInt8>? {
    guard number <= fields.count, !fields[number - 1].isEmpty else { return nil }
    return fields[number - 1]
  }

  // MARK: - Field values

  /// Returns a field that is one letter or digit.
  func letter(_ number: Int) throws(NMEAFault) -> Character? {
    guard let field = field(number) else { return nil }
    guard field.count == 1, let octet = field.first else { throw .field }
    return Character(Unicode.Scalar(octet))
  }

  func letters(_ number: Int) -> String? {
    field(number).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Parses a decimal number with an optional sign and fraction; exponents, infinities and NaN are faults.
  func number(_ number: Int) throws(NMEAFault) -> Double? {
    guard let field = field(number) else { return nil }
    guard field.count <= 24, field.allSatisfy({ Self.isDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }),
      let value = Double(String(decoding: field, as: UTF8.self))
    else { throw .field }
    return value
  }

  func count(_ number: Int) throws(NMEAFault) -> Int? {
    guard let field = field(number) else { return nil }
    guard field.count <= 4, field.allSatisfy(Self.isDigit), let value = Int(String(decoding: field, as: UTF8.self)) else { throw .field }
    return value
  }

  /// Parses `5015.1234,N`, degrees and minutes, into degrees that are positive if the letter is `positive`.
  func angle(_ first: Int, positive: Character, negative: Character) throws(NMEAFault) -> Double? {
    guard let packed = try number(first), let hemisphere = try letter(first + 1) else {
      guard field(first) == nil else { throw .field }
      return nil
    }
    let degrees = (packed / 100).rounded(.towardZero)
    let minutes = packed - degrees * 100
    guard packed >= 0, minutes < 60, hemisphere == positive || hemisphere == negative else { throw .field }
    let angle = degrees + minutes / 60
    return hemisphere == positive ? angle : -angle
  }

  /// Parses `hhmmss` with an optional fraction into microseconds since midnight.
  func timeOfDay(_ number: Int) throws(NMEAFault) -> Int64? {
    guard let field = field(number) else { return nil }
    guard field.count >= 6, let time = try self.number(number), field.prefix(6).allSatisfy(Self.isDigit), time < 240_000
    else { throw .field }
    let whole = Int64(time)
    let (hour, minute, second) = (whole / 10_000, whole / 100 % 100, whole % 100)
    guard hour < 24, minute < 60, second <= 60 else { throw .field }
    let fraction = Int64(((time - time.rounded(.down)) * 1e6).rounded())
    return ((hour * 60 + minute) * 60 + second) * 1_000_000 + fraction
  }

  /// Returns the digits of `ddmmyy`.
  func date(_ number: Int) throws(NMEAFault) -> (day: String, month: String, year: String)? {
    guard let field = field(number) else { return nil }
    guard field.count == 6, field.allSatisfy(Self.isDigit) else { throw .field }
    let text = String(decoding: field, as: UTF8.self)
    return (String(text.prefix(2)), String(text.dropFirst(2).prefix(2)), String(text.suffix(2)))
  }

  private static func isDigit(_ octet: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet) }
}
