import EventLoop
import Events
import Glibc
import Instants
import Journal
import Records
import TestSupport
import Testing

/// A journal's file in a folder of its own, and Python's sqlite3 to inspect it.
final class JournalFile {
  let folder: TemporaryDirectory
  var path: String { folder.file("journal.db") }

  init() throws {
    folder = try TemporaryDirectory()
  }

  func open(_ retention: Retention = .usual, at seconds: Double = 0) -> EventJournal {
    EventJournal(path: path, retention, at: .monotonic(seconds))
  }

  /// Returns the output of a Python script that has the file open as `db`.
  @discardableResult func python(_ script: String, path: String? = nil) throws -> String {
    let loop = try Loop()
    let result = try loop.result(of: [
      "/usr/bin/python3", "-c", "import sqlite3; db = sqlite3.connect('\(path ?? self.path)')\n\(script)\ndb.commit(); db.close()",
    ])
    guard result.outcome == .exited(0) else { throw Trouble(text: result.output.text) }
    return result.output.text
  }

  /// Returns `ok`, or the fault.
  func integrity(path: String? = nil) throws -> String {
    try python("print(db.execute('PRAGMA integrity_check').fetchone()[0], end='')", path: path)
  }

  func octets(_ suffix: String = "") throws -> [UInt8] { try Octets.read(path + suffix) }

  struct Trouble: Error {
    let text: String
  }
}

/// Reads and writes whole files.
enum Octets {
  static func read(_ path: String) throws -> [UInt8] {
    guard let stream = fopen(path, "r") else { throw SystemCallError.last("open", path) }
    defer { fclose(stream) }
    var octets: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, stream), count > 0 { octets += buffer.prefix(count) }
    return octets
  }

  static func write(_ octets: [UInt8], to path: String) throws {
    guard let stream = fopen(path, "w") else { throw SystemCallError.last("open", path) }
    defer { fclose(stream) }
    guard fwrite(octets, 1, octets.count, stream) == octets.count else { throw SystemCallError.last("write", path) }
  }
}

extension Instant {
  static func monotonic(_ seconds: Double) -> Instant { Instant(microseconds: 0) + .seconds(seconds) }

  /// Returns 2026-11-21 plus `day` days.
  static func day(_ day: Double) -> Instant { Instant(microseconds: 1_795_219_200_000_000) + .seconds(day * 86_400) }
}

extension Event {
  /// - Parameter isSynchronised: Whether the clock was synchronised; nil if that is unknown.
  static func event(_ sequence: UInt64, _ kind: String = "enter", at time: Instant = .day(0), isSynchronised: Bool? = nil) -> Event {
    Event.of([
      "sequence": .count(sequence), "event": .text(kind), "region": .text("entrance"), "time": .time(time),
      "beacon": .record(Record(["uuid": .text("8ec76ea3-6668-48da-9866-75be8bc86f4d"), "major": .short(1), "minor": .short(5)])),
      "rssi": .rssi(-63.4), "clockSynchronised": isSynchronised.map { .flag($0) },
    ])
  }

  var number: UInt64 {
    if case .count(let number) = self["sequence"] { number } else { 0 }
  }
}

extension EventJournal {
  /// Commits events with these numbers.
  @discardableResult func commit(_ numbers: ClosedRange<UInt64>, at time: Instant = .day(0), now: Double = 0) -> [Event] {
    commit(numbers.map { Event.event($0, at: time) }, at: .monotonic(now))
  }

  /// Returns the numbers of the stored events, read in pages.
  func numbers(of journal: String? = nil, after first: UInt64 = 0) -> [UInt64]? {
    var numbers: [UInt64] = []
    while let page = page(of: journal, after: numbers.last ?? first) {
      if page.isEmpty { return numbers }
      numbers += page.map(\.number)
    }
    return numbers.isEmpty ? nil : numbers
  }

  /// Returns the numbers of readable and damaged events, read page by page.
  func reported() throws -> (events: [UInt64], damaged: [ClosedRange<UInt64>]) {
    var (events, damaged, place) = ([UInt64](), [ClosedRange<UInt64>](), UInt64(0))
    while let page = page(after: place), let last = page.last {
      try #require(last.number > place, "a page that does not lead on")
      place = last.number
      for record in page {
        if let sequences = record.damagedSequences { damaged.append(sequences) } else { events.append(record.number) }
      }
    }
    return (events, damaged)
  }

  private func page(of journal: String? = nil, after place: UInt64) -> [Event]? {
    do {
      return try events(of: journal ?? identity.description, after: place, limit: 100)
    } catch {
      Issue.record("events cannot be read: \(error)")
      return nil
    }
  }
}

extension Retention {
  static let usual = Retention(age: .seconds(30 * 86_400), size: 64 << 20)

  init(age: Span) {
    self.init(age: age, size: Self.usual.size)
  }

  init(size: Int) {
    self.init(age: Self.usual.age, size: size)
  }
}
