/// A 64-bit hash of the values of a row, which detects damage but not intentional changes.
///
/// For a given word each step is a bijection of the state, and for a given state a bijection of the word. A change within eight octets of
/// one value is therefore always detected, and any other change except one in 2⁶⁴. The mixing is the 64-bit finalizer of MurmurHash3
/// (Appleby, 2011).
struct RowHash {
  private(set) var value: UInt64 = 0x6265_6163_6f6e_6d6f  // "beaconmo": an empty row is not zero

  /// Adds an integer; its hash differs from that of a real, a text or a NULL.
  mutating func add(_ integer: Int64) {
    add(.integer, length: 0)
    add(word: UInt64(bitPattern: integer))
  }

  mutating func add(_ real: Double) {
    add(.real, length: 0)
    add(word: real.bitPattern)
  }

  mutating func addNull() { add(.null, length: 0) }
  mutating func add(text octets: UnsafeRawBufferPointer) { add(.text, octets) }
  mutating func add(blob octets: UnsafeRawBufferPointer) { add(.blob, octets) }

  private enum Kind: UInt64 {
    case null, integer, real, text, blob
  }

  private mutating func add(_ kind: Kind, _ octets: UnsafeRawBufferPointer) {
    add(kind, length: octets.count)
    var offset = 0
    while offset + 8 <= octets.count {
      add(word: UInt64(littleEndian: octets.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    guard offset < octets.count else { return }
    var word: UInt64 = 0
    for index in stride(from: octets.count - 1, through: offset, by: -1) { word = word << 8 | UInt64(octets[index]) }
    add(word: word)
  }

  /// Adds the kind and the length, which distinguishes "ab", "c" from "a", "bc".
  private mutating func add(_ kind: Kind, length: Int) {
    add(word: kind.rawValue << 56 ^ UInt64(truncatingIfNeeded: length))
  }

  private mutating func add(word: UInt64) {
    var mixed = value ^ word
    mixed = (mixed ^ mixed >> 33) &* 0xff51_afd7_ed55_8ccd
    mixed = (mixed ^ mixed >> 33) &* 0xc4ce_b9fe_1a85_ec53
    // The constant avoids a fixed point at zero, in which a run of equal words would stay.
    value = (mixed ^ mixed >> 33) &+ 0x9e37_79b9_7f4a_7c15
  }
}
