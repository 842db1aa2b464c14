import Instants
import Journal
import TestSupport
import Testing

@Suite struct RetentionTests {
  @Test func `events that are too old go, the younger stay`() throws {
    let journal = try JournalFile().open(Retention(age: .seconds(30 * 86_400)))
    for day in 0..<40 { journal.commit(UInt64(day) + 1...UInt64(day) + 1, at: .day(Double(day)), now: Double(day) * 86_400) }
    // On day 39 day 8 is 31 days old and day 9 is 30.
    #expect(journal.numbers() == Array(10...40))
  }

  @Test func `a clock that jumps ahead by years makes nothing old`() throws {
    let journal = try JournalFile().open(Retention(age: .seconds(86_400)))
    journal.commit(1...2, at: .day(0), now: 0)
    journal.commit(3...3, at: .day(5000), now: 7200)
    #expect(journal.numbers() == [1, 2, 3])
  }

  @Test func `an event of a clock that was not set yet goes with those around it, not before`() throws {
    let file = try JournalFile()
    do { file.open().commit(1...1, at: Instant(microseconds: 5_000_000)) }
    let journal = file.open(Retention(age: .seconds(86_400)))
    journal.commit(2...2, at: .day(0), now: 0)
    journal.commit(3...3, at: .day(0.1), now: 8640)
    #expect(journal.numbers() == [1, 2, 3])
    journal.commit(4...4, at: .day(2), now: 2 * 86_400)
    #expect(journal.numbers() == [4])
  }

  @Test func `the last number survives though every event is too old`() throws {
    let file = try JournalFile()
    do {
      let journal = file.open(Retention(age: .seconds(3600)))
      journal.commit(1...5, at: .day(0), now: 0)
      journal.commit(6...6, at: .day(0), now: 100 * 86_400)
      #expect(journal.numbers() == [6])
    }
    #expect(file.open().lastSequence == 6)
  }

  @Test(arguments: [1 << 20, 2 << 20])
  func `the file stays below its size and keeps the latest`(size: Int) throws {
    let file = try JournalFile()
    let journal = file.open(Retention(size: size))
    let total: UInt64 = 12_000
    for batch in 0..<total / 200 { journal.commit(batch * 200 + 1...batch * 200 + 200) }
    let numbers = try #require(journal.numbers())
    #expect(numbers.last == total && numbers == Array(numbers[0]...total))
    // A page or two for what is not events.
    #expect(try file.octets().count <= size + 65_536)
    #expect(try file.octets("-wal").count <= 4 << 20)
    #expect(numbers.count * 250 > size / 2)
  }

  @Test func `a smaller limit gives room back at the next start`() throws {
    let file = try JournalFile()
    do {
      let journal = file.open()
      for batch in UInt64(0)..<50 { journal.commit(batch * 200 + 1...batch * 200 + 200) }
    }
    let before = try file.octets().count
    do { file.open(Retention(size: 1 << 20)).commit(10_001...10_001) }
    do { _ = file.open(Retention(size: 1 << 20)) }
    #expect(try file.octets().count < before / 2)
    #expect(try file.integrity() == "ok")
  }
}
