import Alerts
import BrokerDefinitions
import FleetDatabase
import FleetMessages
import FleetStatus
import Instants
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

  @Test("a device keeps its user while it is enrolled, and gets another one after a revocation or an erasure")
  func login() throws {
    let enrolments = try EnrolmentDatabase(connection)
    let door = try #require(FleetAddress(commonName: "berlin.door"))
    // A device of an earlier version, whose certificate has no number.
    #expect(try enrolments.login(of: door) == DeviceLogin(door, enrolment: nil))
    _ = try enrolments.revoke(site: "berlin", device: nil, by: "root")
    #expect(try enrolments.logins().isEmpty)
    var names: Set<String> = ["berlin.door"]
    for _ in 0..<2 {
      let login = try enrolments.login(of: door)
      #expect(names.insert(login.name).inserted)
      try enrolments.enrol(login, fingerprint: nil, days: 825, by: "root")
      #expect(try enrolments.login(of: door) == login && enrolments.logins() == [login])
      _ = try enrolments.revoke(site: "berlin", device: "door", by: "root")
    }
    try connection.run(script: "delete from device")
    #expect(names.insert(try enrolments.login(of: door).name).inserted)
  }

  @Test(
    "an enrolment does not undo a revocation that came after its start, with or without a number of the certificate",
    arguments: [false, true])
  func revokedMeanwhile(isNumbered: Bool) throws {
    let enrolments = try EnrolmentDatabase(connection)
    let door = try #require(FleetAddress(commonName: "berlin.door"))
    if isNumbered {
      _ = try enrolments.revoke(site: "berlin", device: "door", by: "root")
      try enrolments.enrol(try enrolments.login(of: door), fingerprint: nil, days: 825, by: "root")
    }
    let login = try enrolments.login(of: door)
    #expect((login.enrolment != nil) == isNumbered)
    _ = try enrolments.revoke(site: "berlin", device: "door", by: "ada")
    let audit = try connection.lines("select count(*) from audit")
    #expect(throws: EnrolmentError.self) { try enrolments.enrol(login, fingerprint: "00", days: 825, by: "root") }
    #expect(try enrolments.logins().isEmpty && connection.lines("select count(*) from audit") == audit)
    #expect(try connection.lines("select certificate from device") == ["null"])
    try enrolments.enrol(try enrolments.login(of: door), fingerprint: "00", days: 825, by: "root")
    #expect(
      try enrolments.logins().count == 1 && connection.lines("select subject from audit order by audit_id desc limit 1") == ["berlin.door"])
  }

  @Test("of two enrolments of a name at once, one succeeds, and the other reports it", arguments: [false, true])
  func twice(wasRevoked: Bool) throws {
    let enrolments = try EnrolmentDatabase(connection)
    let device = try #require(FleetAddress(commonName: wasRevoked ? "berlin.door" : "berlin.hall"))
    if wasRevoked { _ = try enrolments.revoke(site: "berlin", device: "door", by: "root") }
    let first = try enrolments.login(of: device)
    var second = first
    while second == first { second = try enrolments.login(of: device) }
    try enrolments.enrol(first, fingerprint: "01", days: 825, by: "root")
    let error = #expect(throws: EnrolmentError.self) { try enrolments.enrol(second, fingerprint: "02", days: 825, by: "ada") }
    #expect(error?.description.hasPrefix("another command has enrolled \(device.commonName) meanwhile") == true)
    #expect(try enrolments.logins().filter { $0.device == device } == [first])
    #expect(try connection.lines("select encode(certificate, 'hex') from device where certificate is not null") == ["01"])
  }

  @Test("the status has the end of the certificate, and the time from which on a device is expected")
  func ends() throws {
    let enrolments = try EnrolmentDatabase(connection)
    let hall = try #require(FleetAddress(commonName: "berlin.hall"))
    let day = Instant(microseconds: 4_000_000_000_000_000)
    try enrolments.enrol(try enrolments.login(of: hall), fingerprint: nil, days: 30, expected: day, by: "root")
    let status = try #require(try StatusDatabase(connection).status().devices.first { $0.name == "berlin.hall" })
    #expect(status.certificate.map { 30 * 86_400 - 60...30 * 86_400 ~= $0 } == true)
    #expect(status.expected.map { $0 < 0 } == true)
    let seen = try #require(try AlertDatabase(connection).observe().devices.first { $0.name == "hall" })
    #expect(seen.heard == day && !seen.hasSent && seen.certificateEnds != nil)
    try enrolments.enrol(try enrolments.login(of: hall), fingerprint: nil, days: 825, by: "root")
    #expect(try connection.lines("select expected_at from device where name = 'hall'") == ["null"])
  }
}
