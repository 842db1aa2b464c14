import Beacons
import Events
import FleetDatabase
import FleetMessages
import Ingest
import PostgreSQL
import Retention
import Streams
import Testing

/// The erasure of events in the form in which devices write them: statements and functions of the database know their keys.
@Suite struct EventKeyTests {
  private static let tag = "00112233-4455-6677-8899-aabbccddeeff/1/2"

  private let connection: PostgreSQLConnection
  private let store: IngestDatabase
  private let identities: IdentityDatabase

  init() throws {
    let parameters = try PrivateServer.fleet()
    connection = try PostgreSQLConnection(parameters)
    store = try IngestDatabase(try PostgreSQLConnection(parameters))
    identities = try IdentityDatabase(try PostgreSQLConnection(parameters))
  }

  private func event(_ number: UInt64) throws -> (row: MessageRow, json: String) {
    var event = Event(sequence: number, kind: .enter, region: "door")
    event.beacon = Event.Beacon(try #require(BeaconIdentity(Self.tag)))
    return (MessageRow(device: 1, journal: StreamJournal(high: 1, low: 2), sequence: Int64(number), time: 0), event.json)
  }

  private func write(_ numbers: UInt64..., to path: WritableKeyPath<Batch, [(row: MessageRow, json: String)]> = \.events) throws {
    var batch = Batch()
    batch.epochs = [0: try store.acquire(queue: 0, worker: "test")]
    batch[keyPath: path] = try numbers.map(event)
    _ = try store.write(batch)
  }

  private func erase() throws { _ = try identities.erase(try #require(StoredIdentity(.tag, Self.tag)), suppressingFor: 24, by: "root") }

  private func counts() throws -> [String] {
    try connection.lines("select (select count(*) from event), (select count(*) from refused_event), (select count(*) from refusal)")
  }

  @Test("a device's event is stored, and an erasure of its tag deletes it and its refused repetition")
  func erasure() throws {
    try write(1)
    try write(2, to: \.repeatedEvents)
    #expect(try counts() == ["1\t1\t1"])
    try erase()
    #expect(try counts() == ["0\t0\t1"])
  }

  @Test("a device's event about an erased tag is not stored, and neither is its repetition")
  func suppression() throws {
    try erase()
    try write(1)
    try write(1, to: \.repeatedEvents)
    #expect(try counts() == ["0\t0\t0"])
  }
}
