import Beacons
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
