import Events
import Foundation
import Instants
import Journal
import Regions
import SQLite
import TestSupport
import Testing
import Visits

@testable import Monitoring
@testable import VisitStatistics

@Suite struct VisitStatisticsTests {
  private static let start = Instant(microseconds: 1_795_510_800_000_000)
  private static let today = LocalCalendar.utc.day(of: start)

  private let folder: TemporaryDirectory
  private let scheduler = ManualScheduler()
  private let lines = LogLines()

  init() throws { folder = try TemporaryDirectory() }

  private var path: String { "\(folder.path)/visits.db" }

  private func journal(retention: Span = .seconds(30 * 86_400)) -> JournalService {
    let events = EventJournal(path: "\(folder.path)/journal.db", Retention(age: retention, size: 1 << 24), at: scheduler.now)
    return JournalService(scheduler, events, heartbeat: { Heartbeat(time: $0) }, log: lines.logger)
  }

  private func statistics(_ journal: JournalService) -> VisitStatistics {
    VisitStatistics(scheduler, journal, VisitStore(path: path, log: lines.logger), .utc, log: lines.logger)
  }

  /// Stores a visit of a minute.
  private func visit(_ journal: JournalService, _ minutes: Int = 0, region: String = "door") {
    for (kind, second) in [(Event.Kind.enter, 0), (.exit, 60)] {
      let time = Self.start + .seconds(Double(minutes * 60 + second))
      let event = Event(sequence: journal.lastSequence + 1, kind: kind, region: region, regionKind: .beacon, time: time)
      _ = journal.commit([event], [], at: time)
    }
  }

  private func visits(_ statistics: VisitStatistics) throws -> [Int] { try statistics.days(after: nil, limit: 100).map(\.visits) }

  @Test func `events that are in the journal already are counted, and each counts once in any number of processes`() throws {
    let journal = journal()
    visit(journal)
    for round in 1...3 {
      let statistics = statistics(journal)
      #expect(try visits(statistics) == [round])
      #expect(try visits(statistics) == [round])
      visit(journal, round)
      statistics.end()
    }
    #expect(try visits(statistics(journal)) == [4])
  }

  @Test func `a minute after events they are counted, and without events nothing wakes`() throws {
    let journal = journal()
    let statistics = statistics(journal)
    scheduler.advance(by: .seconds(60))
    #expect(scheduler.nextDue == .never)
    visit(journal)
    scheduler.advance(by: .seconds(59))
    #expect(try VisitStore(path: path, log: lines.logger).days(after: nil, limit: 9).isEmpty)
    scheduler.advance(by: .seconds(2))
    #expect(try VisitStore(path: path, log: lines.logger).days(after: nil, limit: 9).map(\.visits) == [1])
    #expect(scheduler.nextDue == .never)
    withExtendedLifetime(statistics) {}
  }

  @Test func `numbers outlive the events of the journal`() throws {
    let first = journal()
    visit(first)
    #expect(try visits(statistics(first)) == [1])
    first.close()
    for name in ["journal.db", "journal.db-wal", "journal.db-shm"] { try? FileManager.default.removeItem(atPath: "\(folder.path)/\(name)") }
    let second = journal()
    visit(second, 10)
    #expect(try visits(statistics(second)) == [2])
  }

  @Test func `a query does not wait for a long journal, which is counted in small steps`() throws {
    let journal = journal()
    for minute in 0..<1100 { visit(journal, minute) }
    let statistics = statistics(journal)
    #expect(throws: VisitFileFailure("the events of the journal are still being counted")) { try statistics.days(after: nil, limit: 9) }
    scheduler.advance(by: .seconds(1))
    #expect(try visits(statistics).reduce(0, +) == 1100)
  }

  @Test func `a file that fails loses nothing, and the log names it once`() throws {
    let journal = journal()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let statistics = statistics(journal)
    visit(journal)
    scheduler.advance(by: .seconds(60))
    #expect(throws: VisitFileFailure.self) { try statistics.days(after: nil, limit: 9) }
    scheduler.advance(by: .seconds(900))
    #expect(lines.all.count == 1 && lines.all[0].contains("visits.db") && lines.all[0].contains("counts the visits from the journal"))
    try FileManager.default.removeItem(atPath: path)
    scheduler.advance(by: .seconds(300))
    #expect(try visits(statistics) == [1])
  }

  @Test(arguments: [true, false])
  func `the events of a journal that opens late are counted before those in memory, and each counts once`(isNew: Bool) throws {
    let journals = ["journal.db", "journal.db-wal", "journal.db-shm", "journal.db-commits"].map { "\(folder.path)/\($0)" }
    let first = journal()
    visit(first)
    let counted = self.statistics(first)
    if !isNew { #expect(try visits(counted) == [1]) }
    counted.end()
    // These events are not counted before the end of the process.
    visit(first, 5)
    first.close()
    for path in journals { try? FileManager.default.moveItem(atPath: path, toPath: path + "-away") }
    try FileManager.default.createDirectory(atPath: journals[0], withIntermediateDirectories: false)
    let late = journal()
    let statistics = self.statistics(late)
    visit(late, 10)
    scheduler.advance(by: .seconds(61))
    #expect(late.awaitsFile)
    #expect(try visits(statistics) == (isNew ? [] : [1]))
    try FileManager.default.removeItem(atPath: journals[0])
    for path in journals { try? FileManager.default.moveItem(atPath: path + "-away", toPath: path) }
    late.retry()
    #expect(!late.awaitsFile)
    scheduler.advance(by: .seconds(61))
    #expect(try VisitStore(path: path, log: lines.logger).days(after: nil, limit: 9).map(\.visits) == [3])
    #expect(try visits(statistics) == [3])
  }

  @Test func `rows come in pages by day and region`() throws {
    let journal = journal()
    for region in ["b", "a", "c"] { visit(journal, region: region) }
    visit(journal, 24 * 60, region: "a")
    let statistics = statistics(journal)
    let first = try statistics.days(after: nil, limit: 3)
    #expect(first.map(\.key) == ["a", "b", "c"].map { .init(day: Self.today, region: $0) })
    #expect(try statistics.days(after: first.last?.key, limit: 3).map(\.key) == [.init(day: Self.today + 1, region: "a")])
  }

  @Test func `the oldest of more days than are kept are removed`() throws {
    let store = VisitStore(path: path, log: lines.logger)
    for day in 0..<5 {
      var visits = DailyVisits(.init(day: day, region: "door"), .beacon)
      visits.visits = 1
      let checkpoint = VisitCheckpoint(journal: "j", sequence: UInt64(day + 1), latest: nil, open: [])
      #expect(try store.add([visits], checkpoint, after: day == 0 ? nil : UInt64(day), mostDays: 3))
    }
    #expect(try store.days(after: nil, limit: 9).map(\.key.day) == [2, 3, 4])
  }

  @Test func `a damaged file is moved aside, and the events of the journal are counted again`() throws {
    let journal = journal()
    visit(journal)
    _ = try visits(statistics(journal))
    try Data(repeating: 7, count: 20_000).write(to: URL(fileURLWithPath: path))
    #expect(try visits(statistics(journal)) == [1])
    #expect(lines.all.contains { $0.contains("moved to") && $0.contains("its intact days are kept") })
    #expect(FileManager.default.fileExists(atPath: path + ".1"))
  }

  @Test func `a file that becomes unreadable while it is in use is counted again`() throws {
    let journal = journal()
    let statistics = statistics(journal)
    visit(journal)
    #expect(try visits(statistics) == [1])
    try Data(repeating: 7, count: 20_000).write(to: URL(fileURLWithPath: path))
    visit(journal, 5)
    #expect(try visits(statistics) == [2])
  }

  @Test func `a file of a later version is kept, and nothing is counted into another`() throws {
    let journal = journal()
    visit(journal)
    _ = try visits(statistics(journal))
    try Database(path: path).execute("PRAGMA user_version = 9")
    #expect(throws: VisitFileFailure.self) { try visits(statistics(journal)) }
    #expect(!FileManager.default.fileExists(atPath: path + ".1"))
  }

  @Test func `a damaged page costs its days and no others, and no event counts twice`() throws {
    let journal = journal()
    let store = VisitStore(path: path, log: lines.logger)
    let days = (0..<600).map { day in
      var visits = DailyVisits(.init(day: day, region: "door"), .beacon)
      visits.visits = 1
      return visits
    }
    #expect(try store.add(days, VisitCheckpoint(journal: journal.name, sequence: 0, latest: nil, open: []), after: nil, mostDays: 700))
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    let size = try file.seekToEnd()
    // A page in the middle of the table.
    try file.seek(toOffset: size / 4096 / 2 * 4096)
    try file.write(contentsOf: Data(repeating: 0xff, count: 4096))
    try file.close()
    visit(journal)
    let found = try statistics(journal).days(after: nil, limit: 1000)
    #expect(found.count > 100 && found.count < 601 && found.allSatisfy { $0.visits == 1 })
  }

  @Test func `without the place in the journal nothing is counted twice`() throws {
    let journal = journal()
    visit(journal)
    _ = try visits(statistics(journal))
    try Database(path: path).execute("UPDATE book SET sequence = 0")
    let statistics = statistics(journal)
    #expect(try visits(statistics) == [1])
    visit(journal, 5)
    #expect(try visits(statistics) == [2])
    #expect(lines.all.contains { $0.contains("visits before now may be missing") })
  }

  @Test func `a damaged row is skipped, and its neighbours stay`() throws {
    let journal = journal()
    for region in ["a", "b"] { visit(journal, region: region) }
    _ = try visits(statistics(journal))
    try Database(path: path).execute("UPDATE day SET visits = 1000 WHERE region = 'a'")
    #expect(try statistics(journal).days(after: nil, limit: 9).map(\.key.region) == ["b"])
  }
}
