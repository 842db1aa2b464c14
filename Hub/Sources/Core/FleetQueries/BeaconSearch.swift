public import Beacons

/// The kind of a search, from the text that a person entered. Each kind has an index in the database.
public enum BeaconSearch: Hashable, Sendable {
  /// The first and the last UUID that begin with the digits of the text.
  case uuid(BeaconUUID, through: BeaconUUID)
  case identity(BeaconIdentity)
  case pair(major: UInt16, minor: UInt16)
  /// The major or the minor; also the beginning of a name.
  case number(UInt16, text: String)
  /// The beginning of a tag's name, in lower case.
  case name(String)

  /// The longest text in octets.
  public static let longest = 128

  /// Reads `1/5`, `5`, the first four or more digits of a UUID, an identity, or the beginning of a name.
  /// Nil for a text that is empty or too long.
  public init?(_ text: String) {
    let trimmed = String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    guard !trimmed.isEmpty, trimmed.utf8.count <= Self.longest, !trimmed.unicodeScalars.contains(where: { $0.value < 32 }) else {
      return nil
    }
    if let identity = BeaconIdentity(trimmed) {
      self = .identity(identity)
    } else if let (major, minor) = Self.pair(trimmed) {
      self = .pair(major: major, minor: minor)
    } else if trimmed.allSatisfy({ $0.isASCII && $0.isNumber }), let number = UInt16(trimmed) {
      self = .number(number, text: trimmed)
    } else if let (first, last) = Self.uuids(trimmed) {
      self = .uuid(first, through: last)
    } else {
      self = .name(trimmed.lowercased())
    }
  }

  private static func pair(_ text: String) -> (UInt16, UInt16)? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let major = UInt16(parts[0]), let minor = UInt16(parts[1]) else { return nil }
    return (major, minor)
  }

  private static func uuids(_ text: String) -> (BeaconUUID, BeaconUUID)? {
    let digits = text.filter { $0 != "-" }
    guard (4...32).contains(digits.utf8.count), digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
    func uuid(_ filler: String) -> BeaconUUID? {
      let all = digits + String(repeating: filler, count: 32 - digits.utf8.count)
      guard let high = UInt64(all.prefix(16), radix: 16), let low = UInt64(all.suffix(16), radix: 16) else { return nil }
      return BeaconUUID(high: high, low: low)
    }
    guard let first = uuid("0"), let last = uuid("f") else { return nil }
    return (first, last)
  }
}
