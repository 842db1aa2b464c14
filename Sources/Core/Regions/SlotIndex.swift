/// Finds a slot of a table by a key that only the slot holds: open addressing with linear probing and deletion by backward shift (Knuth, TAOCP vol. 3,
/// 6.4, algorithm R). Six to twelve octets for each slot.
struct SlotIndex: Sendable {
  private static let vacant: Int32 = -1

  private var places = ContiguousArray(repeating: vacant, count: 16)
  private var count = 0

  /// The slot of this hash for which `isMeant`, nil when there is none.
  func slot(hash: Int, where isMeant: (Int) -> Bool) -> Int? {
    let place = places[find(hash, where: isMeant)]
    return place == Self.vacant ? nil : Int(place)
  }

  /// - Parameter hashOf: of any slot in the index.
  mutating func insert(_ slot: Int, hash: Int, hashOf: (Int) -> Int) {
    if 3 * (count + 1) > 2 * places.count { resize(to: 2 * places.count, hashOf) }
    places[find(hash) { _ in false }] = Int32(slot)
    count += 1
  }

  /// Puts `new` where `slot` is; both have the same hash.
  mutating func replace(_ slot: Int, by new: Int, hash: Int) {
    places[find(hash) { $0 == slot }] = Int32(new)
  }

  mutating func remove(_ slot: Int, hash: Int, hashOf: (Int) -> Int) {
    var hole = find(hash) { $0 == slot }
    guard places[hole] != Self.vacant else { return }
    count -= 1
    let mask = places.count - 1
    var next = (hole + 1) & mask
    while places[next] != Self.vacant {
      // An entry may fill the hole unless its own place lies between the hole and where it is now.
      let home = hashOf(Int(places[next])) & mask
      if (next - home) & mask >= (next - hole) & mask {
        places[hole] = places[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    places[hole] = Self.vacant
  }

  /// Makes room for `count` slots at once.
  mutating func reserve(_ count: Int, hashOf: (Int) -> Int) {
    var size = places.count
    while 3 * (count + 1) > 2 * size { size *= 2 }
    if size > places.count { resize(to: size, hashOf) }
  }

  /// The place of the slot that is meant, or the vacant one where it belongs.
  private func find(_ hash: Int, where isMeant: (Int) -> Bool) -> Int {
    let mask = places.count - 1
    var place = hash & mask
    while places[place] != Self.vacant && !isMeant(Int(places[place])) { place = (place + 1) & mask }
    return place
  }

  private mutating func resize(to size: Int, _ hashOf: (Int) -> Int) {
    let old = places
    places = ContiguousArray(repeating: Self.vacant, count: size)
    for slot in old where slot != Self.vacant { places[find(hashOf(Int(slot))) { _ in false }] = slot }
  }
}
