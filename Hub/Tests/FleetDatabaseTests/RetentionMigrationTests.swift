import FleetDatabase
import PostgreSQL
import Testing

@Suite struct RetentionMigrationTests {
  /// Rows of two days as workers wrote them before the step "retention", which is the sixth.
  private static let rows = """
    call fleet_make_days();
    create table digest_20260301 partition of digest for values in ('2026-03-01');
    create table event_20260301 partition of event for values in ('2026-03-01');
    insert into digest(day, device_id, journal, sequence, device_time, body, received_at)
      select d, 1, gen_random_uuid(), n, now(), '\\x00', t from generate_series(1, 500) n,
        (values (fleet_day(), now()), (date '2026-03-01', timestamptz '2026-03-01 23:59:59.999999Z')) as v(d, t);
    insert into event(day, device_id, journal, sequence, device_time, body, received_at)
      select d, 1, gen_random_uuid(), n, now(), '{}', t from generate_series(1, 500) n,
        (values (fleet_day(), now()), (date '2026-03-01', timestamptz '2026-03-01 00:00:00Z')) as v(d, t);
    insert into room_change(beacon_id, from_room, to_room, changed_at, recorded_at, reason)
      select 1, 'hall', 'shop', now(), now() - n * interval '5 hours', '{}' from generate_series(1, 100) n;
    """
  private static let content = """
    select md5(string_agg(row::text, ',' order by row::text)) from (
      select row(device_id, journal, sequence, received_at, device_time, body) from digest
      union all select row(event_id, device_id, journal, sequence, received_at, device_time, body) from event
      union all select row(change_id, beacon_id, from_room, to_room, changed_at, recorded_at, reason) from room_change) as all_rows(row)
    """

  private func database() throws -> (FleetSchema, PostgreSQLConnection) {
    let connection = try PostgreSQLConnection(try PrivateServer.database())
    let schema = FleetSchema(connection, migrations: Array(Migration.all.prefix(6)))
    _ = try schema.migrate(to: 5)
    try connection.run(script: PrivateServer.rows)
    try connection.run(script: Self.rows)
    return (schema, connection)
  }

  @Test("the partitions by time keep each row of those by day, forward and back")
  func forwardAndBack() throws {
    let (schema, connection) = try database()
    let before = try connection.lines(Self.content)
    for version in [6, 5, 6] {
      #expect(try schema.migrate(to: version).count == 1)
      #expect(try connection.lines(Self.content) == before)
    }
    // The numbers go on, and the day of the migration takes rows.
    #expect(
      try connection.lines(
        """
        call fleet_make_partitions();
        insert into digest(device_id, journal, sequence, device_time, body) values (1, gen_random_uuid(), 1, now(), '');
        insert into room_change(beacon_id, changed_at, reason) values (1, now(), '{}') returning change_id
        """) == ["101"])
    _ = try schema.migrate(to: 0, discarding: true)
    #expect(
      try connection.lines(
        "select relname from pg_class where relnamespace = 'public'::regnamespace and relname <> 'schema_version'"
          + " and relname <> 'schema_version_pkey'"
      ).isEmpty)
  }

  @Test("a step that fails half-way leaves the rows and the schema before it")
  func halfWay() throws {
    let (schema, connection) = try database()
    let before = try connection.lines(Self.content)
    // The table of the same name stops the step at its end, after the rows have moved.
    try connection.run(script: "create table visit_key()")
    #expect(throws: PostgreSQLError.self) { try schema.migrate(to: 6) }
    try connection.run(script: "rollback; drop table visit_key")
    #expect(try schema.version() == 5)
    #expect(try connection.lines(Self.content) == before)
    #expect(try schema.migrate(to: 6) == ["retention"])
    #expect(try connection.lines(Self.content) == before)
  }
}
