/// A counter for each case of an enumeration whose raw values count from zero, without hashing.
///
/// The first eight cases are counted in place, so that a small enumeration needs no heap; the cases after them are counted in an array.
public struct Tally<Key: CaseIterable & RawRepresentable & Sendable>: Sendable where Key.RawValue == UInt8 {
  @usableFromInline
  var first = InlineArray<8, Int>(repeating: 0)
  @usableFromInline
  var others: ContiguousArray<Int>

  @inlinable
  public init() {
    others = ContiguousArray(repeating: 0, count: max(0, Key.allCases.count - first.count))
  }

  @inlinable
  public subscript(key: Key) -> Int {
    let index = Int(key.rawValue)
    return index < first.count ? first[index] : others[index - first.count]
  }

  @inlinable @inline(__always)  // a part of every event
  public mutating func count(_ key: Key) {
    let index = Int(key.rawValue)
    if index < first.count { first[index] &+= 1 } else { countOther(index - first.count) }
  }

  @usableFromInline @inline(never)
  mutating func countOther(_ index: Int) { others[index] += 1 }

  public var total: Int { Key.allCases.reduce(0) { $0 + self[$1] } }

  /// The cases that occurred, in their declared order.
  public var occurring: [(key: Key, count: Int)] {
    Key.allCases.compactMap { self[$0] == 0 ? nil : ($0, self[$0]) }
  }

  public static func += (tally: inout Tally, other: Tally) {
    for index in tally.first.indices { tally.first[index] += other.first[index] }
    for index in tally.others.indices { tally.others[index] += other.others[index] }
  }

  /// Returns the counts since `earlier`, a former value of `tally`.
  public static func - (tally: Tally, earlier: Tally) -> Tally {
    var difference = tally
    for index in difference.first.indices { difference.first[index] -= earlier.first[index] }
    for index in difference.others.indices { difference.others[index] -= earlier.others[index] }
    return difference
  }
}

extension Tally: Equatable {
  public static func == (a: Tally, b: Tally) -> Bool {
    a.first.indices.allSatisfy { a.first[$0] == b.first[$0] } && a.others == b.others
  }
}
