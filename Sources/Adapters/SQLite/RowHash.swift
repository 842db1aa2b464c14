/// A 64-bit hash of a row's values, which tells damage from what was written; it is no defence against anybody who computes it anew.
///
/// Each step maps the state one to one for a given word, and each word one to one for a given state. So a change that is confined to eight octets of one value
/// is always noticed, and any other change but for one in 2⁶⁴. The mixing is MurmurHash3's 64-bit finalizer (Appleby, 2011).
struct RowHash {
  private(set) var value: UInt64 = 0x6265_6163_6f6e_6d6f  // "beaconmo": an empty row is not zero

  /// Adds an integer, which never equals a real, a text or a NULL.
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

  /// The length keeps two values from being read as others: "ab", "c" and "a", "bc".
  private mutating func add(_ kind: Kind, length: Int) {
    add(word: kind.rawValue << 56 ^ UInt64(truncatingIfNeeded: length))
  }

  private mutating func add(word: UInt64) {
    var mixed = value ^ word
    mixed = (mixed ^ mixed >> 33) &* 0xff51_afd7_ed55_8ccd
    mixed = (mixed ^ mixed >> 33) &* 0xc4ce_b9fe_1a85_ec53
    // Not a fixed point at zero, which a run of equal words would stay in.
    value = (mixed ^ mixed >> 33) &+ 0x9e37_79b9_7f4a_7c15
  }
}
