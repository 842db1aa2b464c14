import Numerals

/// The ids of the features of an archive: UUIDs, as the standard requires.
///
/// A part of a venue whose id is a UUID, as after an import, keeps it. Other parts have a UUID that depends on the ids of the venue and of
/// the part only, so that an app finds its places again in a later archive.
struct IMDFIdentifiers {
  private let venue: String
  /// The UUIDs in use, and their parts.
  private var parts: [String: String] = [:]

  init(venue: String) { self.venue = venue }

  /// Returns the id of a part; the same part has the same id.
  mutating func id(_ kind: String, _ name: String) -> String {
    let part = "\(kind)/\(name)"
    if IMDFFeature.isUUID(name) {
      let id = name.lowercased()
      if parts[id] == nil || parts[id] == part {
        parts[id] = part
        return id
      }
    }
    let id = Self.uuid(of: "beaconmon/\(venue)/\(part)")
    parts[id] = part
    return id
  }

  /// Returns a UUID of a name: its 128-bit FNV-1a hash in the form of version 4, the only one that the standard allows.
  ///
  /// Nothing relies on names with the same hash being hard to find.
  static func uuid(of name: String) -> String {
    var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    for octet in name.utf8 { hash = (hash ^ UInt128(octet)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b }
    hash = hash & ~(0xF << 76) | 4 << 76
    hash = hash & ~(0x3 << 62) | 2 << 62
    return Hexadecimal.uuid(UInt64(truncatingIfNeeded: hash >> 64), UInt64(truncatingIfNeeded: hash))
  }
}
