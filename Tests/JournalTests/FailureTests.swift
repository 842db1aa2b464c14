import Glibc
import Instants
import Journal
import Records
import TestSupport
import Testing

/// Failures of files, after which the journal continues.
@Suite struct FailureTests {
  /// Expects a journal in memory with a new identity and a note.
  private func expectMemory(_ journal: EventJournal, note: String, line: Int = #line) {
    #expect(!journal.isDurable, "line \(line)")
    #expect(journal.note?.contains(note) == true, "line \(line): \(journal.note ?? "")")
    #expect(journal.note?.hasSuffix("events are kept in memory only") == true, "line \(line)")
    #expect(journal.nextRetry != .never, "line \(line)")
  }

  @Test func `events of a missing folder are kept in memory until it exists`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("later/journal.db")
    let journal = EventJournal(path: path, .usual, at: .monotonic(0))
    expectMemory(journal, note: "unable to open database file; create its folder")
    #expect(journal.commit(1...3).last?["durable"] == .flag(false))
    let identity = journal.identity
    journal.retry(at: .monotonic(60))
    expectMemory(journal, note: "unable to open database file")
    #expect(journal.nextRetry == .monotonic(120))
    mkdir(folder.file("later"), 0o700)
    journal.retry(at: .monotonic(120))
    #expect(journal.isDurable && journal.note == nil && journal.nextRetry == .never)
    // The events are found under the name with which they were sent, also after a restart.
    #expect(journal.identity == identity && journal.numbers() == [1, 2, 3])
    journal.commit(4...4)
    let next = { EventJournal(path: path, .usual, at: .monotonic(0)) }
    _ = consume journal
    #expect(next().identity == identity && next().numbers() == [1, 2, 3, 4])
  }

  @Test(.enabled(if: SmallDisk.isPossible, "requires the right to mount"))
  func `a full disk keeps its events, and later ones belong to another journal until there is room`() throws {
    let disk = try SmallDisk()
    let journal = EventJournal(path: disk.path + "/journal.db", .usual, at: .monotonic(0))
    journal.commit(1...5)
    let first = journal.identity
    var last: UInt64 = 5
    while journal.isDurable && last < 20_000 {
      journal.commit(last + 1...last + 10)
      last += 10
    }
    expectMemory(journal, note: "free space on its disk")
    #expect(journal.identity != first)
    // The durable events are still available, and then the journal is reported as changed.
    #expect(journal.numbers(of: first.description) == Array(1...(last - 10)))
    #expect(try journal.events(of: first.description, after: last - 10, limit: 10) == nil)
    #expect(journal.earlierJournals == [first.description])
    #expect(journal.numbers() == Array(last - 9...last))
    journal.retry(at: .monotonic(60))
    expectMemory(journal, note: "free space on its disk")
    #expect(journal.earlierJournals == [first.description])
    #expect(journal.numbers(of: first.description) == Array(1...(last - 10)))
    try disk.grow()
    journal.retry(at: .monotonic(120))
    #expect(journal.isDurable && journal.earlierJournals == [first.description], "\(journal.note ?? "")")
    journal.commit(last + 1...last + 1)
    #expect(journal.numbers() == Array(last - 9...last + 1))
    #expect(journal.numbers(of: first.description) == Array(1...(last - 10)))
  }

  @Test(.enabled(if: SmallDisk.isPossible, "requires the right to mount"))
  func `an unwritable disk is noticed at the start, and the journal continues once it is writable`() throws {
    let disk = try SmallDisk()
    do { EventJournal(path: disk.path + "/journal.db", .usual, at: .monotonic(0)).commit(1...2) }
    try disk.setReadOnly(true)
    let journal = EventJournal(path: disk.path + "/journal.db", .usual, at: .monotonic(0))
    expectMemory(
      journal,
      note:
        "the database cannot be written; make the file, its folder and its disk writable; for a service, add ReadWritePaths= in a drop-in of its unit"
    )
    journal.commit(1...1)
    try disk.setReadOnly(false)
    journal.retry(at: .monotonic(60))
    #expect(journal.isDurable && journal.numbers() == [1] && journal.earlierJournals.count == 1)
    #expect(journal.numbers(of: journal.earlierJournals[0]) == [1, 2])
  }

  @Test func `a journal that another process uses stays with that process`() throws {
    let file = try JournalFile()
    let one = file.open()
    one.commit(1...1)
    let other = file.open()
    expectMemory(other, note: "stop the other process that uses it")
    other.commit(1...1)
    #expect(one.isDurable && one.numbers() == [1])
    #expect(other.identity != one.identity)
  }

  @Test(
    arguments: [
      ("not a database", "open('FILE', 'w').write('not a database' * 1000)"),
      ("foreign", "db.execute('CREATE TABLE bookmarks (u)')"),
      (
        "future",
        "db.execute('PRAGMA user_version = 99'); db.execute('PRAGMA application_id = 1650683498'); db.execute('CREATE TABLE event (x)')"
      ),
    ])
  func `a foreign file is moved aside unchanged, and a new journal starts`(name: String, script: String) throws {
    let file = try JournalFile()
    try file.python(script.replacing("FILE", with: file.path))
    let before = try file.octets()
    let journal = file.open()
    #expect(journal.isDurable && journal.lastSequence == 0)
    #expect(journal.note?.hasPrefix("\(file.path) could not be read and was moved to \(file.path).1: ") == true, "\(journal.note ?? "")")
    #expect(try Octets.read(file.path + ".1") == before)
    journal.commit(1...2)
    _ = consume journal
    #expect(file.open().numbers() == [1, 2])
  }

  @Test func `a damaged journal is put aside with its log`() throws {
    let file = try JournalFile()
    do {
      let journal = file.open()
      for batch in UInt64(0)..<20 { journal.commit(batch * 50 + 1...batch * 50 + 50) }
    }
    var octets = try file.octets()
    for index in octets.indices where index > 8192 && index % 7 == 0 { octets[index] ^= 0x5A }
    try Octets.write(octets, to: file.path)
    let journal = file.open()
    #expect(journal.isDurable && journal.lastSequence == 0 && journal.note?.contains("damaged") == true, "\(journal.note ?? "")")
    #expect(try Octets.read(file.path + ".1") == octets)
  }

  @Test func `at most eight files are moved aside, and none is deleted`() throws {
    let file = try JournalFile()
    for number in 1...9 {
      try Octets.write(Array("garbage \(number) ".utf8) + [UInt8](repeating: 7, count: 4096), to: file.path)
      let journal = file.open()
      #expect(journal.isDurable == (number < 9))
      if number == 9 { expectMemory(journal, note: "move it away") }
    }
    for number in 1...8 {
      #expect(String(decoding: try Octets.read("\(file.path).\(number)").prefix(9), as: UTF8.self) == "garbage \(number)")
    }
    #expect(String(decoding: try file.octets().prefix(9), as: UTF8.self) == "garbage 9")
  }

  @Test(arguments: [1, UInt64.random(in: .min ... .max)])
  func `a file with random damage is read or moved aside, and never yields more events`(seed: UInt64) throws {
    print("journal fuzz seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let original = try JournalFile()
    do { original.open().commit(1...200) }
    let octets = try original.octets()
    for round in 0..<25 {
      let file = try JournalFile()
      var damaged = octets
      if Int.random(in: 0..<5, using: &random) == 0 { damaged.removeLast(Int.random(in: 1..<damaged.count, using: &random)) }
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let place = Int.random(in: 0..<(Bool.random(using: &random) ? min(damaged.count, 200) : damaged.count), using: &random)
        damaged[place] = UInt8.random(in: 0...255, using: &random)
      }
      try Octets.write(damaged, to: file.path)
      let journal = file.open()
      journal.commit(journal.lastSequence + 1...journal.lastSequence + 3)
      _ = journal.numbers()
      #expect(journal.lastSequence > 0, "seed \(seed) round \(round)")
    }
  }
}
