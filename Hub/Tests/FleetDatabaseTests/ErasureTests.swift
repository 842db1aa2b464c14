import Beacons
import BrokerDefinitions
import FleetMessages
import Ingest
import PostgreSQL
import Retention
import Streams
import Testing

@testable import FleetDatabase

@Suite struct ErasureTests {
  private static let uuid = "00112233-4455-6677-8899-aabbccddeeff"
  private static let tag = "\(uuid)/1/2"

  private let parameters: String
  private let connection: PostgreSQLConnection
  private let identities: IdentityDatabase

  init() throws {
    parameters = try PrivateServer.fleet()
    connection = try PostgreSQLConnection(parameters)
    identities = try IdentityDatabase(try PostgreSQLConnection(parameters))
    try connection.run(script: Self.rows)
    try store(sequence: 1, minors: [2, 3])
  }

  /// Rows about the tag, the device berlin.door, and the person Sofia in every table that has an identity.
  private static let rows = """
    insert into beacon(site_id, uuid, major, minor, device_id) values (1, '\(uuid)', 1, 3, 1);
    update device set revoked_at = now();
    insert into beacon_name select beacon_id, 'Key ' || minor from beacon;
    insert into room_change(beacon_id, from_room, to_room, changed_at, reason)
      select beacon_id, 'hall', 'shop', now(), '{"device": 1, "text": "device 1 hears it", "formerDevice": 7}' from beacon;
    insert into visit(site_id, room, begun_at, seconds, pseudonym)
      select 1, 'hall', now(), 60, fleet_pseudonym('1/' || fleet_tag(uuid, major, minor)) from beacon;
    insert into event(device_id, journal, sequence, device_time, body) select 1, gen_random_uuid(), n, now(),
      jsonb_build_object('event', 'enter', 'beacon', jsonb_build_object('uuid', upper('\(uuid)'), 'major', 1, 'minor', n)) from generate_series(2, 3) n;
    insert into stream values (1, 0, gen_random_uuid(), 1, 1, 1, '{}', 0, 0, 0);
    insert into device_state values (1, now(), now(), gen_random_uuid(), 0, 0);
    insert into device_report values (1, now(), '1', 0, '\\x00', 0, 0, true, array['berlin.door is full']);
    insert into refusal values (1, 'copy', 1, now(), ''), (0, 'unknown', 1, now(), 'berlin.door');
    insert into refused_event(device_id, reason, topic, detail, size, octets) select 1, 'rejected', 'fleet.v1.0.berlin.door', '', 9,
      convert_to('{"event": "enter", "beacon": {"uuid": "' || upper('\(uuid)') || '", "major": 1, "minor": ' || n || '}, no JSON', 'UTF8')
      from generate_series(2, 3) n;
    insert into refused_event(device_id, reason, topic, detail, size, octets) values (0, 'unknown', 'fleet.v1.0.berlin.door', 'berlin.door', 1, '');
    insert into person(name, password) values ('Sofia', 'hash'), ('Bob', null);
    insert into person_role select person_id, 1, 'viewer' from person;
    insert into person_session select '\\x00', person_id from person where name = 'Sofia';
    insert into alert(kind, subject, site, device, since, opened_at, announced, text) values
      ('beacon-missing', 'berlin/\(tag)', 'berlin', 'hall', now(), now(), true, 'Key 2 (\(tag)) was heard last'),
      ('device-silent', 'berlin.door', 'berlin', 'door', now(), now(), true, 'berlin.door is silent');
    insert into alert_event(alert_id, made_at, is_end, text) select alert_id, now(), false, text from alert;
    insert into alert_delivery(event_id, target) select event_id, 'ops' from alert_event;
    insert into alert_presence values ('berlin.door', now(), now());
    insert into alert_mute(subject, kind, actor) values ('berlin/\(tag)', '', 'Sofia'), ('berlin.door', '', 'Bob'), ('berlin', '', 'Sofia');
    insert into audit(actor, action, site_id, subject, detail) values
      ('Sofia', 'name tag', 1, '\(tag)', 'Key 2'), ('Bob', 'grant', 1, 'sofia', 'viewer'), ('Bob', 'enrol', 1, 'berlin.door', '');
    """

  private func sighting(_ minor: UInt16) throws -> FleetSighting {
    FleetSighting(beacon: try #require(BeaconIdentity("\(Self.uuid)/1/\(minor)")), level: -60 - Int(minor), distance: 100, rate: 10, age: 0)
  }

  /// Stores a digest of the device.
  private func store(sequence: Int64, minors: [UInt16]) throws {
    let message = FleetMessage(
      journal: StreamJournal(high: 1, low: 2), sequence: sequence, floor: 1, time: 1_795_000_000_000,
      body: .digest(try minors.map(sighting)))
    var bodies = BinaryArray(of: .bytea)
    bodies.append(message.octets)
    try connection.run(
      PostgreSQLStatement(
        """
        insert into digest(device_id, journal, sequence, device_time, body)
        select 1, '00000000-0000-0001-0000-000000000002', $1::int8, now(), unnest($2::bytea[])
        """, [.integer(sequence), .array(bodies)]))
  }

  /// Returns the tables of which a row has one of these texts, or the octets of one.
  private func traces(of texts: String...) throws -> [String] {
    let tables = try connection.lines(
      """
      select table_name from information_schema.tables t where table_schema = 'public' and table_type = 'BASE TABLE'
        and not exists (select from pg_inherits where inhrelid = to_regclass(quote_ident(table_name))) order by 1
      """)
    return try tables.filter { table in
      try connection.lines("select lower(t::text) from \"\(table)\" t").contains { row in
        texts.contains { text in
          let octets = text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
          return row.contains(text.lowercased()) || row.contains(octets)
        }
      }
    }
  }

  @Test("each column that can have an identity is known to the erasure")
  func everyColumn() throws {
    let columns = try connection.lines(
      """
      select table_name, column_name, data_type in ('text', 'jsonb', 'json', 'uuid', 'bytea', 'ARRAY', 'character varying')
        or data_type = 'integer' and column_name like '%\\_id'
      from information_schema.columns c join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE'
        and not exists (select from pg_inherits where inhrelid = to_regclass(quote_ident(table_name)))
      """
    ).map { $0.split(separator: "\t").map(String.init) }
    var known = IdentityRows.withoutIdentity
    for rows in IdentityRows.all { known[rows.table, default: []].formUnion(rows.columns) }
    let unknown = columns.filter { $0[2] == "t" && known[$0[0]]?.contains($0[1]) != true }.map { "\($0[0]).\($0[1])" }
    #expect(unknown.isEmpty, "name these columns in IdentityRows.all or in IdentityRows.withoutIdentity")
    let present = Set(columns.map { "\($0[0]).\($0[1])" })
    #expect(known.flatMap { table, names in names.map { "\(table).\($0)" } }.filter { !present.contains($0) }.isEmpty)
  }

  @Test("an erased tag is in no table, and its neighbour in a digest stays")
  func tag() throws {
    #expect(try traces(of: "\(Self.uuid),1,2", "key 2", Self.tag).count >= 3)
    let erased = try identities.erase(try #require(StoredIdentity(.tag, Self.tag.uppercased())), suppressingFor: 24, by: "root")
    #expect(
      erased.map(\.table) == [
        "alert", "alert_event", "alert_mute", "audit", "beacon", "beacon_name", "digest", "event", "refused_event", "room_change", "visit",
      ])
    #expect(try traces(of: "\(Self.uuid),1,2", "key 2", Self.tag).isEmpty)
    #expect(
      try connection.lines("select minor, (select count(*) from beacon_name), (select count(*) from visit) from beacon") == ["3\t1\t1"])
    #expect(try connection.lines("select body -> 'beacon' ->> 'minor' from event") == ["3"])
    let bodies = try connection.run(script: "select body from digest").rows
    let message = try FleetMessage(try #require(bodies[0].octets(0)))
    #expect(message.body == .digest([try sighting(3)]) && message.sequence == 1)
    #expect(
      try connection.lines("select actor, action, subject, detail from audit where action = 'erase tag'")
        == [
          "root\terase tag\terased\talert 1, alert_event 1, alert_mute 1, audit 1, beacon 1, beacon_name 1, digest 1, event 1, refused_event 1, room_change 1, visit 1"
        ])
  }

  @Test("an erased device is in no table")
  func device() throws {
    let erased = try identities.erase(try #require(StoredIdentity(.device, "berlin.door")), suppressingFor: 24, by: "root")
    #expect(erased.first { $0.table == "device" }?.rows == 1)
    #expect(try traces(of: "berlin.door", "door").isEmpty)
    #expect(
      try connection.lines("select (select count(*) from digest), (select count(*) from event), (select count(*) from stream)") == [
        "0\t0\t0"
      ])
    #expect(try connection.lines("select distinct reason from room_change") == ["{}"])
  }

  @Test("an erased person is in no table, and the changes of others stay")
  func person() throws {
    let erased = try identities.erase(.person("SOFIA"), suppressingFor: 24, by: "root")
    #expect(erased.map(\.table) == ["alert_mute", "audit", "person", "person_role", "person_session"])
    #expect(try traces(of: "sofia").isEmpty)
    #expect(
      try connection.lines("select actor, action, subject from audit where actor <> 'root' order by audit_id")
        == ["erased\tname tag\t\(Self.tag)", "Bob\tgrant\terased", "Bob\tenrol\tberlin.door"])
    #expect(try connection.lines("select count(*) from suppression") == ["0"])
  }

  @Test("an erasure that fails changes nothing, and one of an unknown identity notes nothing")
  func allOrNothing() throws {
    let before = try connection.lines(
      "select count(*), (select count(*) from beacon_name), (select sum(epoch) from queue) from room_change")
    try connection.run(script: "alter table suppression add check (until < '2000-01-01')")
    #expect(throws: PostgreSQLError.self) {
      try identities.erase(try #require(StoredIdentity(.tag, Self.tag)), suppressingFor: 1, by: "root")
    }
    #expect(
      try connection.lines("rollback; select count(*), (select count(*) from beacon_name), (select sum(epoch) from queue) from room_change")
        == before)
    let other = try IdentityDatabase(try PostgreSQLConnection(parameters))
    #expect(try other.erase(.person("nobody"), suppressingFor: 1, by: "root").isEmpty)
    #expect(try connection.lines("select count(*) from audit where actor = 'root'") == ["0"])
  }

  @Test("late messages about an erased tag or device are not stored, until the time is over")
  func lateMessages() throws {
    let worker = try IngestDatabase(try PostgreSQLConnection(parameters))
    let tag = BeaconKey(site: 1, beacon: try #require(BeaconIdentity(Self.tag)))
    var batch = Batch()
    batch.epochs = [0: try worker.acquire(queue: 0, worker: "test")]
    _ = try worker.write(batch)
    _ = try identities.erase(.tag(tag.beacon), suppressingFor: 24, by: "root")
    // The batch that was being prepared meanwhile knows the tag.
    #expect { try worker.write(batch) } throws: { ($0 as? PostgreSQLError)?.code == "HUB01" }

    let next = try IngestDatabase(try PostgreSQLConnection(parameters))
    let loaded = try next.beacons([tag], silentSince: 0)
    #expect(loaded.found.isEmpty && loaded.erased == [tag])
    batch.epochs = [0: try next.acquire(queue: 0, worker: "test")]
    batch.events = ([2, 3] as [Int64]).map { minor in
      let row = MessageRow(device: 1, journal: StreamJournal(high: 1, low: 2), sequence: minor, time: 0)
      return (row, #"{"event":"exit","beacon":{"uuid":"\#(Self.uuid)","major":1,"minor":\#(minor)}}"#)
    }
    _ = try identities.erase(try #require(StoredIdentity(.device, "berlin.door")), suppressingFor: 24, by: "root")
    try connection.run(script: "insert into device(site_id, name) values (1, 'hall')")
    batch.epochs = [0: try next.acquire(queue: 0, worker: "test")]
    batch.refusals = [Refusal(device: 0, reason: .unknown): RefusalCount(messages: 1, detail: "berlin.door")]
    _ = try next.write(batch)
    #expect(try connection.lines("select sequence from event where body ->> 'event' = 'exit'") == ["3"])
    #expect(try connection.lines("select detail from refusal where device_id = 0") == ["an erased device"])

    try connection.run(script: "update suppression set until = now()")
    #expect(try next.beacons([tag], silentSince: 0).found[tag] != nil)
  }

  @Test("a device that is enrolled again is no longer suppressed")
  func enrolledAgain() throws {
    let address = try #require(FleetAddress(site: "berlin", device: "door"))
    _ = try identities.erase(.device(address), suppressingFor: 24, by: "root")
    #expect(try connection.lines("select fleet_is_suppressed('berlin.door')") == ["t"])
    try EnrolmentDatabase(connection).enrol(DeviceLogin(address, enrolment: 1), fingerprint: nil, days: nil, by: "root")
    #expect(try connection.lines("select fleet_is_suppressed('berlin.door')") == ["f"])
    _ = try EnrolmentDatabase(connection).revoke(site: "berlin", device: nil, by: "root")
    #expect(
      try connection.lines("select action, subject from audit where action in ('enrol', 'revoke device') order by audit_id").suffix(2)
        == ["enrol\tberlin.door", "revoke device\tberlin.door"])
  }

  @Test("a refused event of an erased tag or device is not set aside again")
  func refused() throws {
    let refuse = Self.rows.split(separator: ";").filter { $0.contains("refused_event") }.joined(separator: ";")
    for identity in [StoredIdentity(.tag, Self.tag), StoredIdentity(.device, "berlin.door")] {
      _ = try identities.erase(try #require(identity), suppressingFor: 24, by: "root")
      try connection.run(script: "delete from refused_event; \(refuse)")
      let rows = try connection.lines("select fleet_tag_in(octets) from refused_event")
      #expect(rows.isEmpty == (identity == StoredIdentity(.device, "berlin.door")) && !rows.contains(Self.tag))
    }
  }

  @Test("an export has the rows of all tables, and is noted")
  func export() throws {
    var json = ""
    let count = try identities.export(try #require(StoredIdentity(.tag, Self.tag)), by: "root") { json += $0 }
    let tables = try connection.run(
      PostgreSQLStatement("select key, jsonb_array_length(value) from jsonb_each($1::jsonb -> 'tables')", [.text(json)]))
    #expect(
      tables.rows.map { "\($0[0] ?? "") \($0[1] ?? "")" }.sorted()
        == [
          "alert 1", "alert_event 1", "alert_mute 1", "audit 2", "beacon 1", "beacon_name 1", "beacon_owner 0", "digest 1", "event 1",
          "refused_event 1", "room_change 1", "share 0", "visit 1",
        ])
    #expect(count == (12, 1) && json.contains(#""level":-62"#) && !json.contains(#""level":-63"#))
    #expect(try connection.lines("select action, subject from audit where actor = 'root'") == ["export tag\t\(Self.tag)"])

    json = ""
    _ = try identities.export(.person("sofia"), by: "root") { json += $0 }
    #expect(json.contains("\"person_role\"") && json.contains("\"Sofia\"") && !json.contains("hash"))
    #expect(!json.contains("Bob\", \"person_id"))
  }

  @Test("an export of an unknown identity has only the entries of its exports, which are noted", arguments: ["Noah", "noah"])
  func unknown(name: String) throws {
    for number in 1...2 {
      let count = try identities.export(.person(number == 1 ? "Noah" : name), by: "root") { _ in }
      #expect(count == (number, number))
    }
    #expect(try connection.lines("select count(*) from audit where action = 'export person' and actor = 'root'") == ["2"])
    #expect(try identities.export(.person("bob"), by: "root") { _ in } > (1, 1))
  }
}
