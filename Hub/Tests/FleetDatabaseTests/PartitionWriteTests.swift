import Beacons
import FleetDatabase
import FleetMessages
import FleetStatus
import Ingest
import PostgreSQL
import Streams
import Testing

@Suite struct PartitionWriteTests {
  private let connection: PostgreSQLConnection
  private let store: IngestDatabase
  private let parameters: String
  private let epoch: Int64

  init() throws {
    parameters = try PrivateServer.fleet()
    connection = try PostgreSQLConnection(parameters)
    store = try IngestDatabase(try PostgreSQLConnection(parameters))
    epoch = try store.acquire(queue: 0, worker: "test")
  }

  private static let journal = StreamJournal(high: 1, low: 2)
  private static let key = StreamKey(device: 1, stream: .digests, journal: journal)

  /// A batch with a digest, as a session makes it. Its time is that of the device.
  private func batch(_ sequence: Int64, time: Int64) -> Batch {
    var (batch, record) = (Batch(), StreamRecord())
    _ = record.take(sequence, floor: 1)
    batch.epochs = [0: epoch]
    batch.digests = [(MessageRow(device: 1, journal: Self.journal, sequence: sequence, time: time), [0])]
    batch.streams = [Self.key: record]
    return batch
  }

  @Test("a message is stored at the time of the hub, whatever clock its device has", arguments: [0, 4_070_908_800_000])
  func clocks(time: Int64) throws {
    _ = try store.write(batch(1, time: time))
    #expect(
      try connection.lines(
        "select received_at between now() - interval '1 minute' and now(), extract(epoch from device_time)::int8 from digest")
        == ["t\t\(time / 1000)"])
    #expect(try connection.lines("select to_regclass('digest_19700101_00'), to_regclass('digest_20990101_00')") == ["null\tnull"])
  }

  @Test("a test write needs a database that takes new rows, and leaves none")
  func testWrite() throws {
    let worker = try PostgreSQLConnection(parameters)
    let other = try IngestDatabase(worker)
    try other.testWrite()
    try other.testWrite()
    #expect(try connection.lines("select count(*) from pg_class where relname like 'fleet_test%'") == ["0"])
    _ = try other.write(batch(1, time: 0))
    try worker.run(script: "set default_transaction_read_only = on")
    #expect(throws: PostgreSQLError.self) { try other.testWrite() }
  }

  @Test("the status of a queue has the age of the newest message of its devices")
  func newest() throws {
    #expect(try StatusDatabase(connection).status().queues.allSatisfy { $0.newest == nil })
    try connection.run(
      script:
        "insert into device_state(device_id, received_at, device_time, journal_returns, returned) values (1, now() - interval '5 minutes', now(), 0, 0)"
    )
    let queues = try StatusDatabase(connection).status().queues
    #expect(queues.map { $0.newest.map { 300...310 ~= $0 } } == (0..<8).map { $0 == 3 ? true : nil })
  }

  @Test("a missing partition makes a batch fail, and the next session makes it and stores the batch")
  func missingPartition() throws {
    let partitions = try connection.lines("select name from fleet_partitions('digest')")
    for name in partitions { try connection.run(script: "drop table \(name)") }
    #expect(throws: PostgreSQLError.self) { try store.write(batch(1, time: 0)) }
    let next = try IngestDatabase(try PostgreSQLConnection(parameters))
    _ = try next.write(batch(1, time: 0))
    #expect(try connection.lines("select count(*) from digest") == ["1"])
    #expect(try connection.lines("select name from fleet_partitions('digest')") == partitions)
  }

  @Test("a repeated message is a copy, also after its partition has expired")
  func copyAfterExpiry() throws {
    _ = try store.write(batch(1, time: 0))
    for name in try connection.lines("select name from fleet_partitions('digest')") { try connection.run(script: "drop table \(name)") }
    let next = try IngestDatabase(try PostgreSQLConnection(parameters))
    guard case .record(var record)? = try next.streams([Self.key])[Self.key] else { throw ServerError(description: "no record") }
    #expect(record.take(1, floor: 1) == .copy)
  }

  @Test("a batch fails if one of its tags has expired meanwhile")
  func expiredTag() throws {
    let tag = BeaconKey(site: 1, beacon: try #require(BeaconIdentity("00112233-4455-6677-8899-aabbccddeeff/1/2")))
    let loaded = try #require(try store.beacons([tag], silentSince: 0).found[tag])
    var batch = batch(1, time: 0)
    batch.beacons = [BeaconRow(state: loaded.state)]
    _ = try store.write(batch)
    try connection.run(script: "delete from beacon")
    #expect { try store.write(batch) } throws: { ($0 as? PostgreSQLError)?.code == "HUB03" }
    #expect(try connection.lines("select count(*) from digest") == ["1"])
  }
}
