/// SipHash-2-4 of whole 64-bit words.
/// Its values cannot be distinguished from random ones without its 128-bit key.
///
/// Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012.
struct SipHash {
  private var v0, v1, v2, v3: UInt64
  private var count: UInt64 = 0

  init(key: (UInt64, UInt64)) {
    v0 = key.0 ^ 0x736F_6D65_7073_6575
    v1 = key.1 ^ 0x646F_7261_6E64_6F6D
    v2 = key.0 ^ 0x6C79_6765_6E65_7261
    v3 = key.1 ^ 0x7465_6462_7974_6573
  }

  mutating func absorb(_ word: UInt64) {
    count += 1
    compress(word)
  }

  /// The hash of all words so far; the last word holds only the number of octets, in its highest octet.
  var value: UInt64 {
    var hash = self
    hash.compress(count &* 8 << 56)
    hash.v2 ^= 0xFF
    for _ in 0..<4 { hash.round() }
    return hash.v0 ^ hash.v1 ^ hash.v2 ^ hash.v3
  }

  private mutating func compress(_ word: UInt64) {
    v3 ^= word
    round()
    round()
    v0 ^= word
  }

  private mutating func round() {
    v0 &+= v1
    v1 = v1.rotated(13) ^ v0
    v0 = v0.rotated(32)
    v2 &+= v3
    v3 = v3.rotated(16) ^ v2
    v0 &+= v3
    v3 = v3.rotated(21) ^ v0
    v2 &+= v1
    v1 = v1.rotated(17) ^ v2
    v2 = v2.rotated(32)
  }
}

extension UInt64 {
  fileprivate func rotated(_ bits: UInt64) -> UInt64 { self << bits | self >> (64 - bits) }
}
