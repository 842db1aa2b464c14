import Instants
import Journal
import Records
import TestSupport
import Testing

@Suite struct EventJournalTests {
  @Test func `an event is stored as it was sent, even for another program`() throws {
    let file = try JournalFile()
    let journal = file.open()
    let sent = journal.commit(1...1)
    #expect(sent[0]["journal"] == .text(journal.identity.description) && sent[0]["durable"] == .flag(true))
    #expect(try journal.events(of: journal.identity.description, after: 0, limit: 10) == sent)
    #expect(journal.lastSequence == 1 && journal.isDurable && journal.note == nil && journal.nextRetry == .never)
  }

  @Test func `the file is an SQLite database with the events as JSON`() throws {
    let file = try JournalFile()
    do { file.open().commit(1...1) }
    let printed = try file.python(
      "import json; r = db.execute('SELECT journal.identity, sequence, time, details FROM event JOIN journal ON journal = number').fetchone(); print(len(r[0]), r[1:3], json.loads(r[3])['beacon']['minor'])"
    )
    #expect(printed == "36 (1, 1795219200000000) 5\n")
    #expect(try file.integrity() == "ok")
  }

  @Test func `the next process continues the same journal and its numbers`() throws {
    let file = try JournalFile()
    let identity = {
      let journal = file.open()
      journal.commit(1...3)
      return journal.identity
    }()
    let next = file.open()
    #expect(next.identity == identity && next.lastSequence == 3)
    next.commit(4...4)
    #expect(next.numbers() == [1, 2, 3, 4])
    #expect(next.numbers(after: 2) == [3, 4])
  }

  @Test func `the identity of a journal is a UUID of version 4 and unique`() throws {
    let identities = (0..<100).map { _ in EventJournal(path: nil, .usual, at: .monotonic(0)).identity.description }
    #expect(Set(identities).count == 100)
    for identity in identities {
      #expect(try /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/.wholeMatch(in: identity) != nil, "\(identity)")
    }
  }

  @Test func `a page has at most the requested number of events, and the next page starts after it`() throws {
    let journal = try JournalFile().open()
    journal.commit(1...250)
    #expect(try journal.events(of: journal.identity.description, after: 100, limit: 7)?.map(\.number) == Array(101...107))
    #expect(journal.numbers() == Array(1...250))
    #expect(try journal.events(of: journal.identity.description, after: 250, limit: 7) == [])
    #expect(try journal.events(of: journal.identity.description, after: .max, limit: 7) == [])
  }

  @Test func `a request for another journal has no events`() throws {
    let journal = try JournalFile().open()
    journal.commit(1...1)
    #expect(try journal.events(of: "8ec76ea3-6668-48da-9866-75be8bc86f4d", after: 0, limit: 7) == nil)
  }

  @Test func `events without a file are kept in memory, and none is durable`() throws {
    let journal = EventJournal(path: nil, .usual, at: .monotonic(0))
    #expect(journal.commit(1...2).map { $0["durable"] } == [.flag(false), .flag(false)])
    #expect(journal.numbers() == [1, 2])
    #expect(!journal.isDurable && journal.note == nil && journal.nextRetry == .never)
  }

  @Test func `the memory holds a bounded number of events, the latest ones`() throws {
    let journal = EventJournal(path: nil, .usual, at: .monotonic(0))
    for batch in UInt64(0)..<50 { journal.commit(batch * 100 + 1...batch * 100 + 100) }
    let numbers = try #require(journal.numbers())
    #expect(numbers.last == 5_000 && (1000..<5000).contains(numbers.count))
    #expect(numbers == Array(numbers[0]...5_000))
  }
}
