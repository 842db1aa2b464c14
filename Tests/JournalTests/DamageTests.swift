import Glibc
import Instants
import Records
import SQLite
import TestSupport
import Testing

@testable import Journal

/// Damage to a journal's file loses only the damaged rows, and the loss is reported.
@Suite struct DamageTests {
  private let file: JournalFile

  init() throws {
    file = try JournalFile()
  }

  /// Opens a file with `count` events again, after a script has changed it.
  private func damaged(_ count: UInt64, by script: String) throws -> (journal: EventJournal, identity: JournalIdentity) {
    let identity = {
      let journal = file.open()
      for first in stride(from: 1, through: count, by: 20) { journal.commit(first...min(count, first + 19)) }
      return journal.identity
    }()
    try file.python(script)
    return (file.open(), identity)
  }

  @Test(
    arguments: [
      (#"UPDATE event SET details='{' WHERE sequence=3"#, UInt64(3)),
      (#"UPDATE event SET details=json_set(details,'$.sequence',1) WHERE sequence=11"#, 11),
      (#"UPDATE event SET details=json_set(details,'$.region','exit') WHERE sequence=5"#, 5),
      (#"UPDATE event SET details=(SELECT details FROM event WHERE sequence=4) WHERE sequence=5"#, 5),
      (#"UPDATE event SET time=9223372036854775807 WHERE sequence=1"#, 1),
      (#"UPDATE event SET time=-9223372036854775808, watched=-9223372036854775808, clock=1 WHERE sequence=1"#, 1),
      (#"UPDATE event SET checksum=checksum+1 WHERE sequence=11"#, 11),
    ])
  func `one unreadable row loses one event, which is reported and counted once`(sql: String, number: UInt64) throws {
    let (journal, identity) = try damaged(11, by: "db.execute(\"\"\"\(sql)\"\"\")")
    #expect(journal.identity == identity && journal.isDurable && journal.note == nil && journal.lastSequence == 11)
    #expect(journal.damagedEventCount == 1)
    #expect(journal.takeFindings() == ["\(journal.path ?? ""): damaged or lost in journal \(identity): event \(number)"])
    let events = try #require(try journal.events(of: identity.description, after: 0, limit: 100))
    #expect(events.map(\.number) == Array(1...11))
    let record = try #require(events.first { $0.number == number })
    #expect(record["event"] == .text("damaged") && record["reason"] == .record(Record(["cause": .text("unreadable")])))
    #expect(record["journal"] == .text(identity.description) && record["durable"] == .flag(true) && record["region"] == nil)
    #expect(record["time"] == (sql.contains("SET time") ? nil : .time(.day(0))))
    #expect(events.filter { $0["event"] == .text("enter") }.count == 10)
    // The journal continues.
    journal.commit(12...12)
    #expect(try journal.reported() == ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].filter { $0 != number }, [number...number]))
    #expect(journal.damagedEventCount == 1 && journal.takeFindings() == [])
  }

  @Test(arguments: [Int64.max, 4_000_000_000_000_000])
  func `a damaged time of the last event ages no other event`(watched: Int64) throws {
    let (journal, _) = try damaged(11, by: "db.execute('UPDATE event SET watched = \(watched), clock = NULL WHERE sequence = 11')")
    journal.commit(12...12)
    journal.commit(13...13, now: 7200)
    #expect(try journal.reported() == (Array(1...10) + [12, 13], [11...11]))
  }

  @Test func `a file whose header forbids writing is copied`() throws {
    let identity = {
      let journal = file.open()
      journal.commit(1...11)
      return journal.identity
    }()
    var octets = try file.octets()
    octets[18] = 10
    try Octets.write(octets, to: file.path)
    let journal = file.open()
    #expect(journal.isDurable && journal.identity == identity && journal.note?.contains("its header forbids writing") == true)
    #expect(try journal.reported() == (Array(1...11), []))
  }

  @Test func `a damaged event of an earlier version is detected when it is read, once`() throws {
    do {
      let database = try Database(path: file.path)
      try Schema(application: Schema.journal.application, steps: Array(Schema.journal.steps.prefix(1))).apply(to: database)
      try database.execute(
        """
        INSERT INTO journal VALUES (1, '5f0c9a52-6c0e-4a53-9d0b-1c5a0f6b7e11');
        INSERT INTO event VALUES (1, 1, 1795219200000000, '{"sequence":1,"event":"enter","region":"hall"}');
        INSERT INTO event VALUES (1, 2, 1795219200000000, '{');
        """)
    }
    let journal = file.open()
    #expect(journal.damagedEventCount == 0 && journal.takeFindings() == [])
    for _ in 1...2 { #expect(try journal.reported() == ([1], [2...2])) }
    #expect(journal.takeFindings() == ["\(file.path): event 2 of journal \(journal.identity): unreadable"])
    #expect(journal.damagedEventCount == 1 && journal.takeFindings() == [])
  }

  @Test(
    arguments: [
      ("sequence=5", [UInt64(5)...5]), ("sequence BETWEEN 5 AND 7 OR sequence=9", [5...7, 9...9]), ("sequence=1", [1...1]),
      ("sequence>=9", [9...11]), ("1=1", [1...11]),
    ])
  func `lost rows are reported, and no number is reused`(rows: String, lost: [ClosedRange<UInt64>]) throws {
    let (journal, identity) = try damaged(11, by: "db.execute('DELETE FROM event WHERE \(rows)')")
    #expect(journal.identity == identity && journal.lastSequence == 11 && journal.note == nil)
    #expect(journal.damagedEventCount == lost.reduce(0) { $0 + UInt64($1.count) })
    journal.commit(12...12)
    let kept = (1...12).filter { number in !lost.contains { $0.contains(number) } }
    #expect(try journal.reported() == (kept, lost))
    let first = try #require(try journal.events(of: identity.description, after: lost[0].lowerBound - 1, limit: 1)?.first)
    #expect(first["firstSequence"] == (lost[0].count > 1 ? .count(lost[0].lowerBound) : nil))
    #expect(first["reason"] == .record(Record(["cause": .text("missing")])))
    // This event is among the lost ones.
    if lost == [9...11] {
      #expect(try journal.events(of: identity.description, after: 10, limit: 9)?.map(\.number) == [11, 12])
    }
    _ = consume journal
    #expect(try file.open().reported() == (kept, lost))
  }

  @Test func `a deleted row that returns is not an event`() throws {
    let file = try JournalFile()
    let retention = Retention(age: .seconds(3600))
    do { file.open(retention).commit(1...5) }
    try file.python("db.execute('CREATE TABLE old AS SELECT * FROM event')")
    do { file.open(retention).commit(6...6, now: 7200) }
    try file.python("db.execute('INSERT INTO event SELECT * FROM old'); db.execute('DROP TABLE old')")
    let journal = file.open(retention)
    #expect(try journal.reported() == ([6], []))
    #expect(journal.takeFindings() == ["\(file.path): 5 rows too many"])
  }

  @Test func `a row from another journal's file is not an event of this journal`() throws {
    let other = try JournalFile()
    do { other.open().commit(1...11) }
    let (journal, _) = try damaged(
      11,
      by:
        "db.execute(\"ATTACH '\(other.path)' AS other\"); db.execute('UPDATE event SET (details, checksum) = (SELECT details, checksum FROM other.event AS o WHERE o.sequence = event.sequence) WHERE sequence = 4')"
    )
    #expect(try journal.reported() == ([1, 2, 3, 5, 6, 7, 8, 9, 10, 11], [4...4]))
  }

  @Test func `rows out of order neither repeat nor hide events`() throws {
    // The script reverses the pointers of the table's first leaf: each row is correct, and none is where a search looks for it.
    let script = """
      db.commit(); root = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'event'").fetchone()[0]; db.close()
      file = open('FILE', 'r+b'); data = bytearray(file.read()); page = (root - 1) * 4096
      while data[page] == 2: page = (int.from_bytes(data[page + 8:page + 12], 'big') - 1) * 4096
      count = int.from_bytes(data[page + 3:page + 5], 'big')
      cells = [data[page + 8 + 2 * i:page + 10 + 2 * i] for i in range(count)]
      for i, cell in enumerate(reversed(cells)): data[page + 8 + 2 * i:page + 10 + 2 * i] = cell
      file.seek(0); file.write(data); file.close(); db = sqlite3.connect('FILE')
      """
    let file = try JournalFile()
    let identity = {
      let journal = file.open()
      journal.commit(1...100)
      return journal.identity
    }()
    try file.python(script.replacing("FILE", with: file.path))
    let journal = file.open()
    #expect(try journal.reported() == (Array(1...100), []))
    #expect(journal.identity == identity && journal.isDurable && journal.note?.contains("100 of its events were recovered") == true)
    journal.commit(101...101)
    #expect(try journal.reported().events.last == 101)
  }

  @Test(arguments: [1, 2, 5, 9])
  func `a broken page loses its rows, and followers continue in a copy`(page: Int) throws {
    let file = try JournalFile()
    let identity = {
      let journal = file.open()
      for first in stride(from: UInt64(1), through: 400, by: 20) { journal.commit(first...first + 19) }
      return journal.identity
    }()
    var octets = try file.octets()
    let rows = try file.python("print(db.execute(\"SELECT count(*) FROM event\").fetchone()[0])")
    #expect(rows == "400\n")
    for index in (page - 1) * 4096..<page * 4096 { octets[index] = 0xA5 }
    try Octets.write(octets, to: file.path)
    let journal = file.open()
    #expect(journal.identity == identity || page == 2, "\(journal.note ?? "")")
    let (events, damaged) = try journal.reported()
    let lost = damaged.reduce(0) { $0 + $1.count }
    #expect(events.count + lost == 400 && lost < 20, "\(damaged)")
    #expect(journal.isDurable && journal.note?.contains("was moved to \(file.path).1") == true)
    #expect(try Octets.read(file.path + ".1") == octets)
    #expect(journal.damagedEventCount == UInt64(lost))
    journal.commit(401...401)
    _ = consume journal
    // The copy works like any other file.
    let next = file.open()
    #expect(next.note == nil && next.lastSequence == 401)
    #expect(try next.reported() == (events + [401], damaged))
    _ = consume next
    #expect(try file.integrity() == "ok")
  }

  @Test func `a file cut in half keeps the readable half`() throws {
    let (intact, identity) = try damaged(400, by: "")
    _ = consume intact
    let octets = try file.octets()
    try Octets.write(Array(octets.prefix(octets.count / 2)), to: file.path)
    let journal = file.open()
    let (events, _) = try journal.reported()
    #expect(journal.identity == identity && (120..<400).contains(events.count), "\(events.count)")
  }

  @Test func `damage in the middle of a log loses only the commits there`() throws {
    let file = try JournalFile()
    let journal = file.open()
    for number in UInt64(1)...20 { journal.commit(number...number) }
    let copy = try JournalFile()
    var log = try file.octets("-wal")
    let frame = 32 + (log.count / 2 - 32) / 4120 * 4120
    for index in frame + 24..<frame + 4120 { log[index] ^= 0x5A }
    try Octets.write(file.octets(), to: copy.path)
    try Octets.write(log, to: copy.path + "-wal")
    let other = copy.open()
    let (events, damaged) = try other.reported()
    #expect(other.identity == journal.identity && other.lastSequence == 20, "\(other.note ?? "")")
    #expect(events.last == 20 && events.count + damaged.reduce(0) { $0 + $1.count } == 20 && events.count >= 18, "\(events)")
  }

  @Test(
    arguments: [
      "UPDATE journal SET identity = substr(identity, 1, 7) || 'Z' || substr(identity, 9)", "UPDATE journal SET last = 7",
      "DELETE FROM journal", "UPDATE journal SET number = 77", "UPDATE journal SET identity = '5f0c9a52-6c0e-4a53-9d0b-1c5a0f6b7e11'",
      "DELETE FROM identity",
      "UPDATE journal SET identity = printf('%.300000c', 'a')",
      "UPDATE journal SET first = 900", "UPDATE journal SET first = NULL, last = NULL", "UPDATE head SET count = 3", "DELETE FROM head",
      "UPDATE head SET digest = 0, id = 0 WHERE name = 'event'", "PRAGMA user_version = 77", "PRAGMA application_id = 1",
    ])
  func `damage beside the events loses no event`(sql: String) throws {
    let (journal, identity) = try damaged(11, by: "db.execute(\"\(sql)\")")
    #expect(journal.identity == identity && journal.lastSequence == 11 && journal.isDurable)
    #expect(try journal.reported() == (Array(1...11), []))
    #expect(journal.note != nil || !journal.takeFindings().isEmpty)
  }

  @Test func `a copy that a power cut kept from replacing the file replaces it at the next start`() throws {
    let (journal, identity) = try damaged(11, by: "")
    _ = consume journal
    try Octets.write(file.octets(), to: file.path + ".copy")
    try Octets.write([], to: file.path + ".1")
    unlink(file.path)
    let next = file.open()
    #expect(next.identity == identity && next.lastSequence == 11)
  }

  @Test(arguments: [1, UInt64.random(in: .min ... .max)])
  func `every event of a page with random damage is delivered or counted, and none twice`(seed: UInt64) throws {
    print("journal damage seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let original = try JournalFile()
    do { original.open().commit(1...300) }
    let octets = try original.octets()
    for round in 0..<25 {
      let file = try JournalFile()
      var damaged = octets
      let page = Int.random(in: 0..<damaged.count / 4096, using: &random) * 4096
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        damaged[page + Int.random(in: 0..<4096, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      try Octets.write(damaged, to: file.path)
      let journal = file.open()
      let (events, lost) = try journal.reported()
      #expect(Set(events).count == events.count && events == events.sorted(), "seed \(seed) round \(round)")
      #expect(
        events.count + lost.reduce(0) { $0 + $1.count } == 300, "seed \(seed) round \(round) page \(page / 4096) \(journal.note ?? "")")
      #expect(events.count >= 280, "seed \(seed) round \(round) page \(page / 4096): \(events.count) \(journal.note ?? "")")
    }
  }
}
