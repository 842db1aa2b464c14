import Beacons

/// The hash of a beacon's identity, which chooses the place of its entry.
///
/// It is computed for every advertisement, where the standard library's hashing would cost more than everything else. Every table has a new
/// seed, so that an attacker cannot prepare identities that collide. The place of an entry changes no result.
struct BeaconHash: Sendable {
  private let seeds = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))

  func callAsFunction(_ beacon: BeaconIdentity) -> Int {
    // Two multiplications with folding mix every bit of the identity into every bit of the hash.
    let words = (beacon.uuid.high ^ seeds.0).multipliedFullWidth(by: beacon.uuid.low ^ seeds.1)
    let folded = words.high ^ words.low ^ UInt64(beacon.major) << 16 ^ UInt64(beacon.minor)
    let mixed = (folded ^ seeds.0).multipliedFullWidth(by: 0xBF58_476D_1CE4_E5B9)
    return Int(truncatingIfNeeded: mixed.high ^ mixed.low)
  }
}
