/// FNV-1a with 64 bits: Fowler, Noll, Vo, "The FNV Non-Cryptographic Hash Algorithm", RFC 9923.
public struct FowlerNollVo: Sendable {
  public private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  public init() {}

  public mutating func add(_ octet: UInt8) { value = (value ^ UInt64(octet)) &* 0x100_0000_01b3 }

  /// Returns the hash of a text in UTF-8.
  public static func hash(_ text: String) -> UInt64 {
    var hash = Self()
    for octet in text.utf8 { hash.add(octet) }
    return hash.value
  }
}
