import FleetDatabase
import FleetStatus
import PostgreSQL
import Retention
import Testing

@Suite struct RetentionTests {
  private let parameters: String
  private let connection: PostgreSQLConnection

  init() throws {
    parameters = try PrivateServer.fleet()
    connection = try PostgreSQLConnection(parameters)
  }

  private func retention() throws -> RetentionDatabase { try RetentionDatabase(try PostgreSQLConnection(parameters)) }

  /// Stores a digest that the hub received this number of hours ago.
  private func digest(hoursAgo hours: Int) throws {
    try connection.run(
      script: """
        call fleet_make_partition('digest', now() - interval '\(hours) hours');
        insert into digest(device_id, journal, sequence, received_at, device_time, body)
          values (1, gen_random_uuid(), \(hours), now() - interval '\(hours) hours', now(), '')
        """)
  }

  private var digests: [String] { get throws { try connection.lines("select sequence from digest order by 1") } }

  private func expire(_ kind: RetentionKind, _ database: RetentionDatabase) throws -> Int {
    var steps = 0
    while try database.expire(kind) { steps += 1 }
    return steps
  }

  @Test("digests expire after the time that is set, by whole partitions")
  func digestsExpire() throws {
    for hours in [1, 23, 26, 30] { try digest(hoursAgo: hours) }
    let retention = try retention()
    #expect(try expire(.digest, retention) == 2)
    #expect(try digests == ["1", "23"])
    try retention.keep(.digest, hours: 10, by: "ada")
    #expect(try expire(.digest, retention) == 1)
    #expect(try digests == ["1"])
    #expect(try connection.lines("select actor, action, subject, detail from audit") == ["ada\tset retention\tdigest\t24h to 10h"])
    try retention.keep(.digest, hours: 10, by: "ada")
    #expect(try connection.lines("select count(*) from audit") == ["1"])
  }

  @Test("a partition in use stays for a later run, and its readers are not disturbed")
  func partitionInUse() throws {
    try digest(hoursAgo: 30)
    let reader = try PostgreSQLConnection(parameters)
    try reader.run(script: "begin; select count(*) from digest")
    #expect(throws: PostgreSQLError.self) { try expire(.digest, try retention()) }
    #expect(try digests == ["30"])
    try reader.run(script: "commit")
    #expect(try expire(.digest, try retention()) == 1)
  }

  @Test("one link at a time expires data, and another one continues after it")
  func oneAtATime() throws {
    var first: RetentionDatabase? = try retention()
    #expect(try first?.claim() == true)
    let second = try retention()
    #expect(try !second.claim())
    first = nil
    var isFree = false
    // The server notices the end of a link a little later.
    for _ in 0..<100 where !isFree { isFree = try second.claim() || connection.lines("select pg_sleep(0.05)").isEmpty }
    #expect(isFree)
  }

  @Test("status shows a failure until a run succeeds")
  func failureIsShown() throws {
    let retention = try retention()
    try retention.note(.event, failure: "no space")
    #expect(try retention.rules().map(\.failure) == [nil, "no space", nil, nil, nil, nil, nil, nil])
    try retention.note(.event, failure: nil)
    #expect(try retention.rules()[1].failure == nil && retention.rules()[1].checked == 0)
  }

  @Test("a tag without a name expires, even in a room, and a new one stays")
  func tagsExpire() throws {
    try connection.run(
      script: """
        insert into beacon(site_id, uuid, major, minor, sightings, last_seen, room, entered_at)
          select 1, gen_random_uuid(), n, 0, n % 2, 1000, case n when 2 then 'hall' end, now() - (case n when 4 then 29 else 31 end) * interval '1 day'
          from generate_series(1, 4) n;
        insert into beacon_name select beacon_id, 'Key' from beacon where major = 3;
        insert into room_change(beacon_id, changed_at, reason) select beacon_id, now(), '{}' from beacon
        """)
    #expect(try expire(.beacon, try retention()) == 0)
    #expect(try connection.lines("select major from beacon where last_seen = 1000 order by 1") == ["3", "4"])
    #expect(try connection.lines("select count(*) from room_change") == ["3"])
  }

  @Test("a message expires after its time, a day after its acknowledgement, and when its device is revoked")
  func messagesExpire() throws {
    try connection.run(
      script: """
        insert into device(site_id, name, revoked_at) values (1, 'hall', now());
        insert into device_message(device_id, kind, payload, created_at, acknowledged_at) select d, 1, n, now() - c * interval '1 hour',
          now() - a * interval '1 hour' from (values (1, 'old'::bytea, 721, null), (1, 'new', 719, null), (1, 'done', 30, 25),
            (1, 'fresh', 30, 23), (2, 'revoked', 1, null)) as v(d, n, c, a)
        """)
    #expect(try expire(.message, try retention()) == 0)
    #expect(try connection.lines("select convert_from(payload, 'UTF8') from device_message order by 1") == ["fresh", "new"])
  }

  @Test("old entries of the audit log expire, and the keys of visits with their period")
  func auditAndKeys() throws {
    try connection.run(
      script: """
        insert into audit(made_at, actor, action, subject) select now() - n * interval '300 days', 'a', 'b', n::text from generate_series(0, 2) n;
        select fleet_pseudonym('x');
        insert into visit_key select '2026-01-01Z', * from fleet_make_pads()
        """)
    let (retention, present) = (try retention(), try connection.lines("select fleet_pseudonym('x')"))
    #expect(try expire(.audit, retention) == 0)
    #expect(try connection.lines("select subject from audit order by 1") == ["0", "1"])
    #expect(try expire(.visitKey, retention) == 1)
    #expect(try connection.lines("select count(*) from visit_key") == ["1"])
    #expect(try connection.lines("select fleet_pseudonym('x')") == present)
  }
}
