import Instants
import Journal
import Regions
import TestSupport
import Testing

@Suite struct RetentionTests {
  @Test func `expired events are deleted, and younger ones stay`() throws {
    let journal = try JournalFile().open(Retention(age: .seconds(30 * 86_400)))
    for day in 0..<40 { journal.commit(UInt64(day) + 1...UInt64(day) + 1, at: .day(Double(day)), now: Double(day) * 86_400) }
    // On day 39, day 8 is 31 days old and day 9 is 30.
    #expect(journal.numbers() == Array(10...40))
  }

  @Test func `a clock that jumps ahead by years expires no event`() throws {
    let journal = try JournalFile().open(Retention(age: .seconds(86_400)))
    journal.commit(1...2, at: .day(0), now: 0)
    journal.commit(3...3, at: .day(5000), now: 7200)
    #expect(journal.numbers() == [1, 2, 3])
  }

  @Test func `an event from before the clock was set expires with its neighbours`() throws {
    let file = try JournalFile()
    do { file.open().commit(1...1, at: Instant(microseconds: 5_000_000)) }
    let journal = file.open(Retention(age: .seconds(86_400)))
    journal.commit(2...2, at: .day(0), now: 0)
    journal.commit(3...3, at: .day(0.1), now: 8640)
    #expect(journal.numbers() == [1, 2, 3])
    journal.commit(4...4, at: .day(2), now: 2 * 86_400)
    #expect(journal.numbers() == [4])
  }

  /// 2026-04-01, the time at which a machine without a clock battery may start.
  private static let april = Instant.day(-234)

  @Test(arguments: [false, nil] as [Bool?])
  func `an event survives a correction of its clock by months, and a restart`(isSynchronised: Bool?) throws {
    let file = try JournalFile()
    do {
      let journal = file.open()
      _ = journal.commit([.event(1, at: Self.april, isSynchronised: isSynchronised)], at: .monotonic(0))
      _ = journal.commit([.event(2, at: .day(0), isSynchronised: isSynchronised.map { _ in true })], at: .monotonic(300))
    }
    // The wrong clock times one more event, after one of a correct clock.
    do { _ = file.open().commit([.event(3, at: Self.april, isSynchronised: isSynchronised)], at: .monotonic(0)) }
    let journal = file.open()
    _ = journal.commit([.event(4, at: .day(0.1), isSynchronised: isSynchronised.map { _ in true })], at: .monotonic(0))
    #expect(journal.numbers() == [1, 2, 3, 4])
  }

  @Test func `events of synchronised clocks expire by them, and events between them with the next one`() throws {
    let file = try JournalFile()
    do {
      _ = file.open().commit(
        [
          .event(1, at: Self.april, isSynchronised: false), .event(2, at: .day(0), isSynchronised: true),
          .event(3, at: .day(0.1), isSynchronised: true), .event(4, at: Self.april, isSynchronised: false),
        ], at: .monotonic(0))
    }
    do { _ = file.open().commit([.event(5, at: .day(30.05), isSynchronised: true)], at: .monotonic(0)) }
    #expect(file.open().numbers() == [3, 4, 5])
    // A young event keeps all later ones, whatever their times.
    do { _ = file.open().commit([.event(6, at: .day(5), isSynchronised: true)], at: .monotonic(0)) }
    do { _ = file.open().commit([.event(7, at: .day(30.07), isSynchronised: true)], at: .monotonic(0)) }
    #expect(file.open().numbers() == [3, 4, 5, 6, 7])
  }

  @Test func `an unsynchronised clock expires no event`() throws {
    let file = try JournalFile()
    do { _ = file.open().commit([.event(1, isSynchronised: true)], at: .monotonic(0)) }
    do { _ = file.open().commit([.event(2, at: .day(4000), isSynchronised: false)], at: .monotonic(0)) }
    #expect(file.open().numbers() == [1, 2])
  }

  @Test func `the watched time of the journal adds up over restarts, including gaps within a boot`() throws {
    let file = try JournalFile()
    func commit(_ number: UInt64, boot: String, uptime days: Double) {
      let heartbeat = Heartbeat(time: .day(0), boot: boot, uptime: .seconds(days * 86_400))
      _ = file.open(Retention(age: .seconds(86_400))).commit([.event(number)], [], heartbeat, at: .monotonic(0))
    }
    commit(1, boot: "A", uptime: 0.1)
    commit(2, boot: "A", uptime: 0.9)
    commit(3, boot: "B", uptime: 9)
    #expect(file.open().numbers() == [1, 2, 3])
    commit(4, boot: "B", uptime: 9.3)
    #expect(file.open().numbers() == [2, 3, 4])
  }

  @Test func `the last number survives the expiry of all events`() throws {
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
  func `the file stays below its size limit and keeps the latest events`(size: Int) throws {
    let file = try JournalFile()
    let journal = file.open(Retention(size: size))
    let total: UInt64 = 12_000
    for batch in 0..<total / 200 { journal.commit(batch * 200 + 1...batch * 200 + 200) }
    let numbers = try #require(journal.numbers())
    #expect(numbers.last == total && numbers == Array(numbers[0]...total))
    // A page or two contain no events.
    #expect(try file.octets().count <= size + 65_536)
    #expect(try file.octets("-wal").count <= 4 << 20)
    #expect(numbers.count * 250 > size / 2)
  }

  @Test func `a reduced limit shrinks the file at the next start`() throws {
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
