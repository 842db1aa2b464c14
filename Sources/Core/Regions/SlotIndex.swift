/// Finds a slot of a table by a key that only the table holds.
/// The index uses open addressing with linear probing and deletion by backward shift (Knuth, TAOCP vol. 3, 6.4, algorithm R). It takes six
/// to twelve octets for each of at most 16,777,215 slots.
public struct SlotIndex: Sendable {
  /// The slot in the low 24 bits and 8 bits of its hash above, so that a look-up seldom checks a wrong slot.
  @usableFromInline typealias Place = UInt32

  @inlinable static var vacant: Place { .max }

  @usableFromInline var places = ContiguousArray(repeating: vacant, count: 16)
  private var count = 0

  public init() {}

  /// Returns the slot with this hash for which `isMeant` is true, or `nil` if there is none. O(1) on average.
  @inlinable
  public func slot(hash: Int, where isMeant: (Int) -> Bool) -> Int? {
    let place = places[find(hash, where: isMeant)]
    return place == Self.vacant ? nil : Self.slot(in: place)
  }

  /// Adds a slot.
  ///
  /// - Parameter hashOf: returns the hash of any slot in the index.
  public mutating func insert(_ slot: Int, hash: Int, hashOf: (Int) -> Int) {
    if 3 * (count + 1) > 2 * places.count { resize(to: 2 * places.count, hashOf) }
    places[find(hash) { _ in false }] = Self.place(of: slot, hash: hash)
    count += 1
  }

  /// Replaces `slot` with `new`, which has the same hash.
  public mutating func replace(_ slot: Int, by new: Int, hash: Int) {
    places[find(hash) { $0 == slot }] = Self.place(of: new, hash: hash)
  }

  public mutating func remove(_ slot: Int, hash: Int, hashOf: (Int) -> Int) {
    var hole = find(hash) { $0 == slot }
    guard places[hole] != Self.vacant else { return }
    count -= 1
    let mask = places.count - 1
    var next = (hole + 1) & mask
    while places[next] != Self.vacant {
      // An entry may fill the hole unless its home lies between the hole and its current place.
      let home = hashOf(Self.slot(in: places[next])) & mask
      if (next - home) & mask >= (next - hole) & mask {
        places[hole] = places[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    places[hole] = Self.vacant
  }

  /// Reserves memory for `count` slots.
  public mutating func reserve(_ count: Int, hashOf: (Int) -> Int) {
    var size = places.count
    while 3 * (count + 1) > 2 * size { size *= 2 }
    if size > places.count { resize(to: size, hashOf) }
  }

  /// Returns the place of the slot for which `isMeant` is true, or the vacant place where it belongs.
  @inlinable
  func find(_ hash: Int, where isMeant: (Int) -> Bool) -> Int {
    let mask = places.count &- 1
    var index = hash & mask
    while true {
      let place = places[index]
      if place == Self.vacant || Self.tag(of: hash) == place & ~Self.slotMask && isMeant(Self.slot(in: place)) { return index }
      index = (index &+ 1) & mask
    }
  }

  @inlinable static var slotMask: Place { 0xFF_FFFF }

  /// Returns the upper bits of the hash; the lower bits choose the place.
  @inlinable
  static func tag(of hash: Int) -> Place { Place(truncatingIfNeeded: hash >> 32) & ~slotMask }

  @inlinable
  static func slot(in place: Place) -> Int { Int(place & slotMask) }

  private static func place(of slot: Int, hash: Int) -> Place {
    precondition(slot < slotMask, "a table of more than 16 million slots")
    return Place(truncatingIfNeeded: slot) | tag(of: hash)
  }

  private mutating func resize(to size: Int, _ hashOf: (Int) -> Int) {
    let old = places
    places = ContiguousArray(repeating: Self.vacant, count: size)
    for place in old where place != Self.vacant { places[find(hashOf(Self.slot(in: place))) { _ in false }] = place }
  }
}
