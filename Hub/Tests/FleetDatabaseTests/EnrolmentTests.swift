import FleetDatabase
import FleetMessages
import PostgreSQL
import Testing

@Suite struct EnrolmentTests {
  private let connection: PostgreSQLConnection

  init() throws { connection = try PostgreSQLConnection(try PrivateServer.fleet()) }

  @Test("a place of a device is in the audit log, and that of an unknown one is not")
  func place() throws {
    let enrolments = try EnrolmentDatabase(connection)
    let (door, other) = (try #require(FleetAddress(commonName: "berlin.door")), try #require(FleetAddress(commonName: "berlin.attic")))
    #expect(try enrolments.place(door, room: "hall", floor: -1, by: "root"))
    #expect(try enrolments.place(door, room: nil, floor: nil, by: "root"))
    #expect(try !enrolments.place(other, room: "hall", floor: 0, by: "root"))
    #expect(
      try connection.lines("select actor, action, site_id, subject, detail from audit order by audit_id")
        == ["root\tplace device\t1\tberlin.door\troom hall, floor -1", "root\tplace device\t1\tberlin.door\tno room"])
  }
}
