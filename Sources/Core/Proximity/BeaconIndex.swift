import BeaconAdvertising

/// Where each beacon's entry is: an open-addressing table with linear probing and deletion by backward shift (Knuth, TAOCP vol. 3, 6.4, algorithm R).
///
/// It is looked up for every advertisement, where the standard library's hashing would cost more than everything else. The hash is seeded anew for every table, so
/// nobody can prepare identities that collide; where an entry lies changes no result.
struct BeaconIndex: Sendable {
  private struct Slot {
    var beacon: BeaconIdentity
    var position: Int32
  }

  private static let vacant = Slot(beacon: BeaconIdentity(uuid: BeaconUUID(high: 0, low: 0), major: 0, minor: 0), position: -1)

  private var slots = ContiguousArray(repeating: vacant, count: 64)
  private var count = 0
  private let seeds = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))

  /// O(1) on average.
  func position(of beacon: BeaconIdentity) -> Int? {
    let slot = slots[find(beacon)]
    return slot.position < 0 ? nil : Int(slot.position)
  }

  /// Adds the beacon or moves it to another position.
  mutating func set(_ position: Int, of beacon: BeaconIdentity) {
    if 2 * (count + 1) > slots.count { grow() }
    let slot = find(beacon)
    if slots[slot].position < 0 { count += 1 }
    slots[slot] = Slot(beacon: beacon, position: Int32(position))
  }

  mutating func remove(_ beacon: BeaconIdentity) {
    var hole = find(beacon)
    guard slots[hole].position >= 0 else { return }
    count -= 1
    let mask = slots.count - 1
    var next = (hole + 1) & mask
    while slots[next].position >= 0 {
      // An entry may fill the hole unless its own place lies between the hole and where it is now.
      let home = place(of: slots[next].beacon)
      if (next - home) & mask >= (next - hole) & mask {
        slots[hole] = slots[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    slots[hole] = Self.vacant
  }

  mutating func removeAll() {
    self = BeaconIndex()
  }

  /// The slot of `beacon`, or the vacant one where it belongs.
  private func find(_ beacon: BeaconIdentity) -> Int {
    let mask = slots.count - 1
    var slot = place(of: beacon)
    while slots[slot].position >= 0 && slots[slot].beacon != beacon { slot = (slot + 1) & mask }
    return slot
  }

  private func place(of beacon: BeaconIdentity) -> Int {
    // Two multiplications with folding mix every bit of the identity into the low bits of the place.
    let words = (beacon.uuid.high ^ seeds.0).multipliedFullWidth(by: beacon.uuid.low ^ seeds.1)
    let folded = words.high ^ words.low ^ UInt64(beacon.major) << 16 ^ UInt64(beacon.minor)
    let mixed = (folded ^ seeds.0).multipliedFullWidth(by: 0xBF58_476D_1CE4_E5B9)
    return Int(truncatingIfNeeded: mixed.high ^ mixed.low) & (slots.count - 1)
  }

  private mutating func grow() {
    let old = slots
    slots = ContiguousArray(repeating: Self.vacant, count: 2 * old.count)
    for slot in old where slot.position >= 0 { slots[find(slot.beacon)] = slot }
  }
}
