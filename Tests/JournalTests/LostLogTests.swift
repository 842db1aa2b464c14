import Glibc
import Instants
import Records
import SQLite
import TestSupport
import Testing

@testable import Journal

/// Write-ahead logs that are missing, truncated or of another database. SQLite reports none of these.
@Suite struct LostLogTests {
  private let file: JournalFile

  init() throws {
    file = try JournalFile()
  }

  /// Returns the files of a process that was killed after `count` commits of one event each.
  private func crashed(_ count: UInt64) throws -> (file: JournalFile, identity: JournalIdentity) {
    let copy = try JournalFile()
    let journal = file.open()
    for number in 1...count { journal.commit(number...number) }
    for suffix in ["", "-wal", "-commits"] { try Octets.write(file.octets(suffix), to: copy.path + suffix) }
    return (copy, journal.identity)
  }

  @Test(arguments: [nil, 0.5, 0.9])
  func `events of a missing or truncated log are reported as damaged, and their numbers are not reused`(part: Double?) throws {
    let (copy, identity) = try crashed(20)
    let log = try copy.octets("-wal")
    unlink(copy.path + "-wal")
    if let part { try Octets.write(Array(log.prefix(Int(Double(log.count) * part))), to: copy.path + "-wal") }
    let journal = copy.open()
    #expect(journal.identity == identity && journal.lastSequence == 20)
    #expect(journal.takeFindings().first?.contains(" lost, because the file or its write-ahead log is missing, truncated or older") == true)
    let (events, damaged) = try journal.reported()
    #expect(events.count < 20 && events + damaged.flatMap { Array($0) } == Array(1...20))
    journal.commit(21...21)
    #expect(try journal.reported().0.last == 21)
  }

  @Test func `a crash loses no event and reports no damage`() throws {
    let (copy, identity) = try crashed(20)
    let journal = copy.open()
    #expect(journal.identity == identity && journal.takeFindings() == [] && journal.damagedEventCount == 0)
    #expect(try journal.reported() == (Array(1...20), []))
  }

  @Test func `an older copy of the file does not reuse the numbers of later events`() throws {
    do { file.open().commit(1...5) }
    let older = try file.octets()
    do { file.open().commit(6...9) }
    try Octets.write(older, to: file.path)
    let journal = file.open()
    #expect(try journal.reported() == (Array(1...5), [6...9]))
    #expect(journal.lastSequence == 9 && journal.savedRegions() == nil)
  }

  @Test func `the log of another journal is moved aside, and its events are ignored`() throws {
    let (stranger, _) = try crashed(20)
    let own = try JournalFile()
    let identity = {
      let journal = own.open()
      journal.commit(1...3)
      return journal.identity
    }()
    try Octets.write(stranger.octets("-wal"), to: own.path + "-wal")
    let journal = own.open()
    #expect(journal.identity == identity)
    #expect(try journal.reported() == (Array(1...3), []))
    #expect(journal.takeFindings() == ["\(own.path): \(own.path)-wal is the log of another database and was moved to \(own.path).1-wal"])
  }

  @Test func `a journal whose file is missing is restored from its log`() throws {
    let (copy, identity) = try crashed(20)
    unlink(copy.path)
    let journal = copy.open()
    #expect(journal.identity == identity && journal.note?.contains("the file is missing, but its write-ahead log exists") == true)
    #expect(try journal.reported() == (Array(1...20), []))
  }

  @Test func `a journal keeps its identity when both of its identity rows are lost`() throws {
    let identity = {
      let journal = file.open()
      journal.commit(1...11)
      return journal.identity
    }()
    try file.python("db.execute('DELETE FROM journal'); db.execute('DELETE FROM identity')")
    let journal = file.open()
    #expect(journal.identity == identity)
    #expect(try journal.reported() == (Array(1...11), []))
  }

  @Test func `a damaged count of commits is ignored`() throws {
    do { file.open().commit(1...3) }
    var octets = try file.octets("-commits")
    octets[16] ^= 0x40
    try Octets.write(octets, to: file.path + "-commits")
    let journal = file.open()
    #expect(journal.takeFindings() == [] && journal.lastSequence == 3)
  }
}
