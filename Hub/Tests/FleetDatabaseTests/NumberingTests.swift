import Alerts
import FleetDatabase
import FleetMessages
import Ingest
import PostgreSQL
import Streams
import Testing

/// The limit of the numberings of a device.
@Suite struct NumberingTests {
  private let connection: PostgreSQLConnection
  private let store: IngestDatabase
  private let epoch: Int64

  init() throws {
    let parameters = try PrivateServer.fleet()
    connection = try PostgreSQLConnection(parameters)
    store = try IngestDatabase(try PostgreSQLConnection(parameters))
    epoch = try store.acquire(queue: 0, worker: "test")
  }

  private static let new = StreamKey(device: 1, stream: .events, journal: StreamJournal(high: 1, low: 2))

  /// Fills the numberings of the device, each unchanged for some days.
  private func fill(days: Int) throws {
    try connection.run(
      script: """
        insert into stream select 1, 0, gen_random_uuid(), 1, 1, 1, '{}', 0, 0, 0, now() - interval '\(days) days' from generate_series(1, 1000)
        """)
  }

  private func begin() throws {
    var (batch, record) = (Batch(), StreamRecord())
    _ = record.take(1, floor: 1)
    (batch.epochs, batch.streams, batch.newNumberings) = ([0: epoch], [Self.new: record], [1: [.events]])
    _ = try store.write(batch)
  }

  private func count() throws -> [String] { try connection.lines("select count(*) from stream") }

  @Test("a device with a thousand numberings that have expired may begin another one, which replaces them")
  func expired() throws {
    try fill(days: 31)
    #expect(try store.streams([Self.new])[Self.new] == nil)
    try begin()
    #expect(try count() == ["1"])
  }

  @Test("a device with a thousand numberings that events may still continue is refused")
  func present() throws {
    try fill(days: 29)
    #expect(try store.streams([Self.new])[Self.new] == .tooMany)
  }

  @Test("numberings expire with events, but not within the longest delay of a message", arguments: [(6, "1001"), (8, "1")])
  func shortRetention(days: Int, left: String) throws {
    try connection.run(script: "update retention set hours = 24 where kind = 'event'")
    try fill(days: days)
    try begin()
    #expect(try count() == [left])
  }

  @Test("a numbering of events forgets none of digests")
  func digests() throws {
    try fill(days: 31)
    try connection.run(script: "update stream set stream = 1")
    try begin()
    #expect(try count() == ["1001"])
  }

  @Test("an observation has the remedies of refusals within the last day")
  func alerts() throws {
    try connection.run(
      script:
        "insert into refusal(device_id, reason, messages, detail) values (1, 'journals', 1, ''), (1, 'copy', 1, ''), (1, 'future', 1, '')")
    let seen = try #require(try AlertDatabase(connection).observe().devices.first)
    #expect(seen.refusals == [Refusal.Reason.journals, .future].compactMap { $0.remedy("") }.sorted() && seen.refusals.count == 2)
    #expect(!seen.looksCloned)
    try connection.run(script: "update refusal set last_at = now() - interval '25 hours'")
    #expect(try AlertDatabase(connection).observe().devices.first?.refusals == [])
  }
}
