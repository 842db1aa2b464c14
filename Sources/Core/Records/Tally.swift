/// A counter for each case of a small enumeration whose raw values count from zero, eight cases at most. No heap, no hashing.
public struct Tally<Key: CaseIterable & RawRepresentable & Sendable>: Sendable where Key.RawValue == UInt8 {
  @usableFromInline
  var counters = InlineArray<8, Int>(repeating: 0)

  @inlinable
  public init() {}

  @inlinable
  public subscript(key: Key) -> Int { counters[Int(key.rawValue)] }

  @inlinable
  public mutating func count(_ key: Key) {
    counters[Int(key.rawValue)] += 1
  }

  public var total: Int { Key.allCases.reduce(0) { $0 + self[$1] } }

  /// The cases that occurred, in their declared order.
  public var occurring: [(key: Key, count: Int)] {
    Key.allCases.compactMap { self[$0] == 0 ? nil : ($0, self[$0]) }
  }

  public static func += (tally: inout Tally, other: Tally) {
    for index in tally.counters.indices { tally.counters[index] += other.counters[index] }
  }

  /// What came since `earlier`, a former value of this one.
  public static func - (tally: Tally, earlier: Tally) -> Tally {
    var difference = tally
    for index in difference.counters.indices { difference.counters[index] -= earlier.counters[index] }
    return difference
  }
}

extension Tally: Equatable {
  public static func == (a: Tally, b: Tally) -> Bool {
    a.counters.indices.allSatisfy { a.counters[$0] == b.counters[$0] }
  }
}

extension Tally {
  /// Only what occurred, in its declared order.
  public var record: Record {
    var record = Record()
    for (key, count) in occurring { record.append("\(key)", .count(UInt64(count))) }
    return record
  }
}
