import FleetDatabase
import FleetMessages
import FleetStatus
import Ingest
import PostgreSQL
import Retention
import Streams
import Testing

/// Events whose numbers arrived before.
@Suite struct RepeatedEventTests {
  private let connection: PostgreSQLConnection
  private let store: IngestDatabase

  init() throws {
    let parameters = try PrivateServer.fleet()
    connection = try PostgreSQLConnection(parameters)
    store = try IngestDatabase(try PostgreSQLConnection(parameters))
  }

  private func event(_ number: Int64, _ text: String) -> (row: MessageRow, json: String) {
    (MessageRow(device: 1, journal: StreamJournal(high: 1, low: 2), sequence: number, time: 0), #"{"event":"\#(text)"}"#)
  }

  private func write(_ events: [(row: MessageRow, json: String)] = [], repeated: [(row: MessageRow, json: String)] = []) throws {
    var batch = Batch()
    // An erasure raises the epochs.
    batch.epochs = [0: try store.acquire(queue: 0, worker: "test")]
    (batch.events, batch.repeatedEvents) = (events, repeated)
    _ = try store.write(batch)
  }

  private func refused() throws -> [String] {
    try connection.lines("select reason, sequence, convert_from(octets, 'UTF8') from refused_event order by refused_id")
  }

  private func status() throws -> FleetStatus.Device { try #require(try StatusDatabase(connection).status().devices.first) }

  @Test("an event of a restored journal is set aside although its number is too old to be compared, and status shows what to do")
  func restored() throws {
    try write((1...400).map { event($0, "old") })
    try write(repeated: [event(1, "new"), event(400, "new"), event(399, "old")])
    #expect(
      try refused() == ["conflict\t400\t{\"event\":\"new\"}", "unverified\t1\t{\"event\":\"new\"}"])
    #expect(
      try connection.lines("select reason, messages, detail from refusal order by reason")
        == ["conflict\t1\tanother event has the number 400", "unverified\t1\tno stored event has the number 1"])
    let door = try status()
    #expect(door.recentRefusals.keys.sorted() == ["conflict", "unverified"] && !door.looksCloned)
    #expect(Set(door.recentRefusals.values).count == 1 && door.recentRefusals["conflict"]?.contains("begin a new journal") == true)
    try connection.run(script: "update refusal set last_at = now() - interval '25 hours'")
    #expect(try status().recentRefusals.isEmpty)
  }

  @Test("an event that comes again after it was set aside is a copy")
  func setAsideBefore() throws {
    for _ in 0..<3 { try write(repeated: [event(1, "new")]) }
    try write(repeated: [event(1, "newer")])
    #expect(try refused() == ["unverified\t1\t{\"event\":\"new\"}", "unverified\t1\t{\"event\":\"newer\"}"])
    #expect(try connection.lines("select messages from refusal") == ["2"])
  }

  @Test("an event that the database has refused is a copy when it comes again, whatever its text is")
  func rejectedBefore() throws {
    let bad = (row: event(1, "").row, json: "no JSON")
    try connection.run(
      script: """
        insert into refused_event(device_id, reason, topic, detail, journal, sequence, size, octets)
        values (1, 'rejected', 'fleet', '', '00000000-0000-0001-0000-000000000002', 1, 7, 'no JSON')
        """)
    try write(repeated: [bad])
    #expect(try refused().count == 1)
    try write(repeated: [(bad.row, "other")])
    #expect(try refused().count == 2)
  }

  @Test("a repeated event that is not JSON conflicts with the stored one, and the database takes the batch")
  func invalid() throws {
    try write([event(1, "old")])
    try write(repeated: [(event(1, "").row, "no JSON"), (event(1, "").row, #"{"event":"\u0000"}"#), event(1, "old")])
    #expect(try refused() == ["conflict\t1\tno JSON", "conflict\t1\t{\"event\":\"\\u0000\"}"])
  }

  @Test("a repeated event about an erased tag leaves nothing")
  func erased() throws {
    let json = #"{"event":"enter","beacon":{"uuid":"00112233-4455-6677-8899-aabbccddeeff","major":1,"minor":2}}"#
    let tag = try #require(StoredIdentity(.tag, "00112233-4455-6677-8899-aabbccddeeff/1/2"))
    _ = try IdentityDatabase(connection).erase(tag, suppressingFor: 24, by: "root")
    try write(repeated: [(event(1, "").row, json)])
    #expect(try refused().isEmpty && connection.lines("select reason from refusal").isEmpty)
  }
}
