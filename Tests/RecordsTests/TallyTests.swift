import Records
import Testing

@Suite struct TallyTests {
  @Test func `every case of an enumeration of one is counted`() { check(One.self) }

  @Test func `every case of an enumeration of eight is counted`() { check(Eight.self) }

  @Test func `every case of an enumeration of nine is counted`() { check(Nine.self) }

  @Test func `every case of an enumeration of twenty is counted`() { check(Twenty.self) }

  @Test func `a record has the cases that occurred in the order of their declaration`() {
    var tally = Tally<Nine>()
    tally.count(.i)
    tally.count(.b)
    tally.count(.i)
    #expect(tally.counts.record.json == #"{"b":1,"i":2}"#)
  }

  /// Counts the first case once, the second twice and so on.
  private func check<Key: CaseIterable & RawRepresentable & Hashable & Sendable>(_ type: Key.Type) where Key.RawValue == UInt8 {
    let empty = Tally<Key>()
    var tally = empty
    for (index, key) in Key.allCases.enumerated() {
      for _ in 0...index { tally.count(key) }
    }
    let expected = Key.allCases.indices.map { Key.allCases.distance(from: Key.allCases.startIndex, to: $0) + 1 }
    #expect(Key.allCases.map { tally[$0] } == expected)
    #expect(tally.total == expected.reduce(0, +))
    #expect(tally.occurring.map(\.key) == Array(Key.allCases))
    #expect(empty.total == 0)

    var doubled = tally
    doubled += tally
    #expect(Key.allCases.map { doubled[$0] } == expected.map { 2 * $0 })
    #expect(doubled - tally == tally)
    for key in Key.allCases {
      var other = tally
      other.count(key)
      #expect(other != tally)
    }
  }
}

private enum One: UInt8, CaseIterable { case a }
private enum Eight: UInt8, CaseIterable { case a, b, c, d, e, f, g, h }
private enum Nine: UInt8, CaseIterable { case a, b, c, d, e, f, g, h, i }
private enum Twenty: UInt8, CaseIterable { case a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t }
