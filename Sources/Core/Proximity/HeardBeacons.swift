import BeaconAdvertising
import Beacons
import Instants
import Ranging
import Regions

/// The beacons that were heard and that a region or a client selects.
///
/// There are never more than `capacity` beacons, whatever is in range; those with the longest silence are dropped first.
struct HeardBeacons: Sendable {
  let capacity: Int
  var entries: ContiguousArray<HeardBeacon> = []
  private var index = SlotIndex()
  private let hash = BeaconHash()

  init(capacity: Int) {
    self.capacity = capacity
  }

  func position(of beacon: BeaconIdentity) -> Int? {
    index.slot(hash: hash(beacon)) { entries[$0].track.beacon == beacon }
  }

  /// Removes beacons if there is no room for another, and returns them.
  ///
  /// A sixteenth of the beacons, those with the longest silence, goes at once. In a flood of identities, one sort of all beacons thus makes
  /// room for many.
  mutating func makeRoom() -> [HeardBeacon] {
    guard entries.count >= capacity else { return [] }
    let byAge = entries.sorted { ($0.track.lastSeen, $0.track.beacon) < ($1.track.lastSeen, $1.track.beacon) }
    let removed = Array(byAge.prefix(max(1, capacity / 16)))
    let gone = Set(removed.map(\.track.beacon))
    removeAll { gone.contains($0.track.beacon) }
    return removed
  }

  mutating func append(_ entry: HeardBeacon) {
    entries.append(entry)
    find(entries.count - 1)
  }

  mutating func removeAll(where isUnwanted: (HeardBeacon) -> Bool) {
    entries.removeAll(where: isUnwanted)
    index = SlotIndex()
    for position in entries.indices { find(position) }
  }

  /// Adds an entry to the index.
  private mutating func find(_ position: Int) {
    index.insert(position, hash: hash(entries[position].track.beacon)) { [entries, hash] in hash(entries[$0].track.beacon) }
  }
}

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
