import Numerals

/// The 128-bit UUID of an iBeacon (its proximity UUID) or of an AltBeacon.
/// It is stored as two words in network byte order, so that comparing the words compares the written form.
public struct BeaconUUID: Hashable, Comparable, Sendable {
  public var high: UInt64
  public var low: UInt64

  @inlinable
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  @inlinable
  public static func < (a: BeaconUUID, b: BeaconUUID) -> Bool {
    a.high != b.high ? a.high < b.high : a.low < b.low
  }
}

/// The error in a text that is not a UUID.
public enum BeaconUUIDError: Error, Equatable, CustomStringConvertible {
  /// The text does not have 36 characters.
  case length(Int)
  /// The character at this 1-based position is not the expected hexadecimal digit or hyphen.
  case character(Character, position: Int)

  public var description: String {
    switch self {
    case .length(let count): "a UUID has 36 characters (8-4-4-4-12), this has \(count)"
    case .character(let character, let position): "\"\(character)\" at position \(position) is not allowed in a UUID (8-4-4-4-12)"
    }
  }
}

extension BeaconUUID: CustomStringConvertible {
  /// Parses the hyphenated form, `8ec76ea3-6668-48da-9866-75be8bc86f4d`, in upper or lower case. RFC 9562, section 4.
  public init(_ text: String) throws(BeaconUUIDError) {
    guard text.count == 36 else { throw .length(text.count) }
    var words: (high: UInt64, low: UInt64) = (0, 0)
    var digits = 0
    for (index, character) in text.enumerated() {
      if [8, 13, 18, 23].contains(index) {
        guard character == "-" else { throw .character(character, position: index + 1) }
        continue
      }
      guard character.isASCII, let digit = character.hexDigitValue else { throw .character(character, position: index + 1) }
      if digits < 16 { words.high = words.high << 4 | UInt64(digit) } else { words.low = words.low << 4 | UInt64(digit) }
      digits += 1
    }
    self.init(high: words.high, low: words.low)
  }

  /// The lower-case form with hyphens.
  public var description: String { Hexadecimal.uuid(high, low) }
}
