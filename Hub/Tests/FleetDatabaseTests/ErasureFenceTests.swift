import Beacons
import EventLoop
import FleetDatabase
import FleetMessages
import Ingest
import PostgreSQL
import Retention
import Testing

@Suite struct ErasureFenceTests {
  private static let uuid = "00112233-4455-6677-8899-aabbccddeeff"

  private let parameters: String
  private let connection: PostgreSQLConnection

  init() throws {
    parameters = try PrivateServer.fleet()
    connection = try PostgreSQLConnection(parameters)
  }

  private func storeEvent() throws {
    try connection.run(
      script: """
        insert into event(device_id, journal, sequence, device_time, body) select 1, gen_random_uuid(), 1, now(),
          jsonb_build_object('event', 'enter', 'beacon', jsonb_build_object('uuid', '\(Self.uuid)', 'major', 1, 'minor', 2))
        """)
  }

  @Test("workers go on while an erasure searches events, and the tag does not come back meanwhile")
  func workersGoOn() throws {
    try storeEvent()
    let worker = try IngestDatabase(try PostgreSQLConnection(parameters))
    var batch = Batch()
    batch.epochs = [0: try worker.acquire(queue: 0, worker: "test")]
    let reader = try PostgreSQLConnection(parameters)
    try reader.run(script: "begin; select event_id from event for update")

    let text = parameters
    let tag = try #require(BeaconIdentity("\(Self.uuid)/1/2"))
    // The tests share a few threads, all of which may be in use.
    try LoopThread.start(named: "erasure") {
      _ = try? IdentityDatabase(try PostgreSQLConnection(text)).erase(.tag(tag), suppressingFor: 24, by: "root")
    }
    let waiting = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    var isWaiting = false
    for _ in 0..<200 where !isWaiting { isWaiting = try connection.lines("select pg_sleep(0.05); \(waiting)") == ["1"] }
    #expect(isWaiting)
    _ = try worker.write(batch)
    // The row of the tag still exists, and another site gets one by a statement that does not see the suppression.
    let key = BeaconKey(site: 1, beacon: tag)
    let loaded = try worker.beacons([key], silentSince: 0)
    #expect(loaded.found.isEmpty && loaded.erased == [key])
    try connection.run(
      script:
        "insert into site(name, partition) values ('paris', 1); insert into beacon(site_id, uuid, major, minor) values (2, '\(Self.uuid)', 1, 2)"
    )
    try storeEvent()
    try reader.run(script: "commit")

    var noted: [String] = []
    for _ in 0..<200 where noted.isEmpty {
      noted = try connection.lines("select pg_sleep(0.05); select detail from audit where action = 'erase tag'")
    }
    #expect(noted == ["beacon 2, event 2"])
    #expect(try connection.lines("select (select count(*) from beacon), (select count(*) from event)") == ["0\t0"])
    #expect { try worker.write(batch) } throws: { ($0 as? PostgreSQLError)?.code == "HUB01" }
  }

  @Test("an unknown tag is not suppressed, and an earlier suppression keeps its end")
  func unknownTag() throws {
    let identities = try IdentityDatabase(try PostgreSQLConnection(parameters))
    let (known, unknown) = (try #require(BeaconIdentity("\(Self.uuid)/1/2")), try #require(BeaconIdentity("\(Self.uuid)/9/9")))
    #expect(try identities.erase(.tag(unknown), suppressingFor: 24, by: "root").isEmpty)
    #expect(try connection.lines("select count(*) from suppression") == ["0"])
    _ = try identities.erase(.tag(known), suppressingFor: 24, by: "root")
    let end = try connection.lines("select until from suppression")
    #expect(try identities.erase(.tag(known), suppressingFor: 48, by: "root").isEmpty)
    #expect(try connection.lines("select until from suppression") == end)
  }

  @Test("a device that is not revoked is not erased, and the error has the command")
  func notRevoked() throws {
    let identities = try IdentityDatabase(try PostgreSQLConnection(parameters))
    let device = try #require(StoredIdentity(.device, "berlin.door"))
    #expect { try identities.erase(device, suppressingFor: 24, by: "root") } throws: {
      "\($0)".hasSuffix("run \"beaconmon-hub admin revoke berlin.door\" first")
    }
    #expect(try connection.lines("select (select count(*) from suppression), (select count(*) from device)") == ["0\t1"])
    _ = try EnrolmentDatabase(connection).revoke(site: "berlin", device: "door", by: "root")
    #expect(try identities.erase(device, suppressingFor: 24, by: "root").contains { $0.table == "device" })
  }

  @Test("two senders of a message that replaces others wait for each other")
  func sendersWait() throws {
    let other = try PostgreSQLConnection(parameters)
    try connection.run(script: "begin; select fleet_send(1, 1::int2, 'a', true)")
    try other.run(script: "set lock_timeout = '50ms'; select fleet_send(1, 2::int2, 'b', true)")
    #expect { try other.run(script: "select fleet_send(1, 1::int2, 'b', true)") } throws: { ($0 as? PostgreSQLError)?.code == "55P03" }
    try connection.run(script: "commit")
    try other.run(script: "select fleet_send(1, 1::int2, 'b', true)")
    #expect(try connection.lines("select kind, payload from device_message order by 1") == ["1\t\\x62", "2\t\\x62"])
  }
}
