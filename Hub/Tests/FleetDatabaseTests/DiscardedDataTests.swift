import BrokerDefinitions
import FleetDatabase
import FleetMessages
import PostgreSQL
import Testing

@Suite struct DiscardedDataTests {
  private let connection: PostgreSQLConnection
  private let schema: FleetSchema

  init() throws {
    connection = try PostgreSQLConnection(try PrivateServer.fleet())
    schema = FleetSchema(connection)
  }

  /// Tables and columns that have nothing to lose: the hub and the devices write them again, or another table keeps them.
  private static let withoutLoss: Set<String> = [
    "fleet", "queue", "worker", "beacon.room_since", "beacon.room_state", "visit_key", "suppression_key", "alert_disk", "alert_presence",
    "fleet.identity", "share_deleted", "beacon.entered_at", "rollout_watch", "device_report.rollout_revision",
    "device_report.rollout_state", "device_report.rollout_text", "room_survey.survey_id", "room_survey.corrected_at", "device.login",
    "device.certificate_ends", "device.expected_at", "device_enrolment", "device_state.report_journal", "device_state.late_at",
  ]

  private func columns() throws -> Set<String> {
    Set(
      try connection.lines(
        """
        select table_name || '.' || column_name from information_schema.columns join information_schema.tables using (table_schema, table_name)
        where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'schema_version'
          and not exists (select from pg_inherits where inhrelid = to_regclass(quote_ident(table_name)))
        """))
  }

  @Test("each step says which tables and columns its way back discards")
  func everyColumn() throws {
    for (index, step) in Migration.all.enumerated().reversed() {
      let before = try columns()
      _ = try schema.migrate(to: index, discarding: true)
      let known = Self.withoutLoss.union(step.discards.map(\.name))
      let lost = before.subtracting(try columns()).filter { column in
        !known.contains(column) && !known.contains(String(column.prefix { $0 != "." }))
      }
      #expect(lost.isEmpty, "name these in the discards of \(step.name), or in withoutLoss")
    }
    #expect(try columns().isEmpty)
  }

  @Test("a step back that would discard data changes nothing, and names the tables and columns")
  func refusal() throws {
    try connection.run(
      script: "insert into site_venue values (1, '', '[]'); update site set title = 'Berlin'; update device set room = 'hall'")
    let error = #expect(throws: SchemaError.self) { try schema.migrate(to: 2) }
    let text = try #require(error).description
    #expect(text.contains("site.title (1), site_venue (1);") && text.contains("--discard") && !text.contains("device.room"))
    #expect(try schema.version() == Migration.all.count)
    #expect(try schema.migrate(to: 2, discarding: true).count == Migration.all.count - 2)
    #expect(try connection.lines("select room from device") == ["hall"])
  }

  @Test("an empty fleet goes back to no tables without a question")
  func empty() throws {
    let fresh = try PostgreSQLConnection(try PrivateServer.database())
    let schema = FleetSchema(fresh)
    _ = try schema.migrate(to: Migration.all.count)
    _ = try schema.queues(creating: nil)
    #expect(try schema.migrate(to: 0).count == Migration.all.count)
  }

  @Test("the users of devices outlast the way to an earlier schema and back, and a device that was enrolled there has its own")
  func logins() throws {
    let hall = try #require(FleetAddress(commonName: "berlin.hall"))
    let enrolments = try EnrolmentDatabase(connection)
    let login = try enrolments.login(of: hall)
    try enrolments.enrol(login, fingerprint: "00", days: 30, by: "root")
    try connection.run(
      script: "insert into device(site_id, name, login, certificate_ends) values (1, 'shop', 7, now() + interval '9 days')")
    let values = "select login, certificate_ends, expected_at from device where name = 'hall'"
    let before = try connection.lines(values)
    for _ in 0..<2 {
      _ = try schema.migrate(to: 13, discarding: true)
      // As the program of that schema enrols.
      try connection.run(
        script:
          "insert into device(site_id, name) values (1, 'attic'), (1, 'shop') on conflict (site_id, name) do update set enrolled_at = now()"
      )
      _ = try schema.migrate(to: Migration.all.count)
      #expect(try connection.lines(values) == before)
      #expect(
        try EnrolmentDatabase(connection).logins().map(\.name) == ["berlin.attic", "berlin.door", login.name, "berlin.shop"])
      try connection.run(script: "delete from device where name = 'attic'")
      #expect(try connection.lines("select to_regclass('device_enrolment')") == ["null"])
    }
  }
}
