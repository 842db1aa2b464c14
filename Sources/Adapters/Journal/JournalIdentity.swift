import Numerals

/// The identity of a journal, within which a sequence number is unique.
///
/// It is a random UUID (RFC 9562, version 4) in lower case with hyphens.
public struct JournalIdentity: Hashable, Sendable, CustomStringConvertible {
  public let description: String

  init(stored text: String) {
    description = text
  }

  /// Whether a text has the form of an identity.
  static func isValid(_ text: String) -> Bool {
    let octets = Array(text.utf8)
    return octets.count == 36
      && octets.enumerated().allSatisfy { index, octet in
        [8, 13, 18, 23].contains(index) ? octet == UInt8(ascii: "-") : "0123456789abcdef".utf8.contains(octet)
      } && octets[14] == UInt8(ascii: "4") && "89ab".utf8.contains(octets[19])
  }

  /// Creates an identity that no journal has had.
  init() {
    let high = UInt64.random(in: .min ... .max) & ~0xF000 | 0x4000
    let low = UInt64.random(in: .min ... .max) & ~(0b11 << 62) | 0b10 << 62
    self.init(high, low)
  }

  /// Creates an identity from 128 bits.
  private init(_ high: UInt64, _ low: UInt64) {
    description = Hexadecimal.uuid(high, low)
  }

  /// Returns the bits as two numbers; `nil` if the text is not an identity.
  static func numbers(of text: String) -> [Int64]? {
    guard isValid(text) else { return nil }
    let digits = text.filter { $0 != "-" }
    return [digits.prefix(16), digits.suffix(16)].compactMap { UInt64($0, radix: 16).map { Int64(bitPattern: $0) } }
  }

  /// Returns the text of these bits; `nil` if they are not an identity.
  static func text(of numbers: [Int64]) -> String? {
    guard numbers.count == 2 else { return nil }
    let text = JournalIdentity(UInt64(bitPattern: numbers[0]), UInt64(bitPattern: numbers[1])).description
    return isValid(text) ? text : nil
  }
}
