/// Advertisements of the devices in a crowd.
/// Their AD structures are those of phones, earphones, tags and beacons of other formats; none is an iBeacon.
///
/// The formats are those of the Supplement to the Bluetooth Core Specification, part A, and of the manufacturers' documents. Personal
/// data in them are random.
enum CrowdAdvertisement {
  static func data(_ index: Int, seed: UInt64) -> [UInt8] {
    var random = RandomStream(seed: seed, .payload, index)
    func octets(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: random.word()) } }
    let flags: [UInt8] = [0x02, 0x01, 0x1A]
    switch random.word() % 8 {
    // Apple's Nearby Info, by far the most frequent.
    case 0, 1, 2: return flags + [0x0A, 0xFF, 0x4C, 0x00, 0x10, 0x05] + octets(5)
    // Apple's Find My.
    case 3: return [0x1E, 0xFF, 0x4C, 0x00, 0x12, 0x19] + octets(25)
    // Microsoft's connected devices.
    case 4: return [0x1E, 0xFF, 0x06, 0x00, 0x01] + octets(26)
    // Google's Fast Pair, service UUID 0xFE2C.
    case 5: return flags + [0x06, 0x16, 0x2C, 0xFE] + octets(3)
    // Eddystone-UID, service UUID 0xFEAA.
    case 6: return flags + [0x03, 0x03, 0xAA, 0xFE, 0x17, 0x16, 0xAA, 0xFE, 0x00, 0xED] + octets(16) + [0x00, 0x00]
    // A complete local name.
    default: return flags + [0x09, 0x09] + Array("Band ".utf8) + octets(3).map { UInt8(ascii: "0") + $0 % 10 }
    }
  }
}
