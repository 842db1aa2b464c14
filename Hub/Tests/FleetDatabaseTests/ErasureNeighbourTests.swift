import PostgreSQL
import Retention
import Testing

@testable import FleetDatabase

/// Identities whose names are parts of other names, or are names at other sites.
@Suite struct ErasureNeighbourTests {
  private let connection: PostgreSQLConnection
  private let identities: IdentityDatabase

  init() throws {
    let parameters = try PrivateServer.fleet()
    connection = try PostgreSQLConnection(parameters)
    identities = try IdentityDatabase(try PostgreSQLConnection(parameters))
    try connection.run(script: Self.rows)
  }

  /// The sites pre and mus have the keys 2 and 3.
  ///
  /// The devices pre.d1, pre.d10, pre.other, mus.d1 and mus.other have the keys 2 to 6.
  private static let rows = """
    insert into site(name, partition) values ('pre', 4), ('mus', 5);
    insert into device(site_id, name, revoked_at) values (2, 'd1', now()), (2, 'd10', now()), (2, 'other', null), (3, 'd1', null), (3, 'other', null);
    insert into rollout(revision, content, audience, actor, soak, reason) values
      (1, '\\x66' || convert_to('pre.d1', 'UTF8') || '\\x67' || convert_to('pre.d10', 'UTF8'), '{pre.d1,pre.d10}', 'al', '0', ''),
      (2, '\\x67' || convert_to('pre.d10', 'UTF8') || '\\x66' || convert_to('mus.d1', 'UTF8'), '{pre.d10,mus.d1}', 'alice', '0', ''),
      (3, '\\x63' || convert_to('pre', 'UTF8') || convert_to('# für pre.d1', 'UTF8'), '{pre}', 'ada', '0', ''),
      (4, '\\x63' || convert_to('pre', 'UTF8') || convert_to('# ä pre.d10, 4pre.d1', 'UTF8'), '{pre}', 'ada', '0', ''),
      (5, '\\x63' || convert_to('mus', 'UTF8'), '{mus}', 'ada', '0', 'pre.d1 is silent'),
      (6, '\\x63' || convert_to('mus', 'UTF8'), '{mus}', 'ada', '0', 'pre.d10 is silent');
    insert into device_message(device_id, kind, payload) select 4, 1, content from rollout;
    insert into device_message(device_id, kind, payload) select d, 2, convert_to(json_build_object('v', 1, 'shares', json_build_array(
        json_build_object('id', 'x', 'recipients', json_build_array(json_build_object('name', r, 'state', 'offered')))), 'offers',
      json_build_array(json_build_object('owner', o, 'tag', 'al', 'purpose', 'al, device:d1')))::text, 'UTF8')
      from (values (4, 'device:d1', 'x'), (4, 'x', 'device:d1'), (4, 'device:d10', 'x'), (6, 'device:d1', 'x'),
        (4, 'Al', 'x'), (4, 'x', 'al'), (4, 'alice', 'offers')) as m(d, r, o);
    insert into share_log(site_id, share_id, actor, action, detail) values
      (2, gen_random_uuid(), 'device:d1', 'offer', 'lunch: bob'), (2, gen_random_uuid(), 'device:d10', 'offer', 'al, device:d1: alice, device:d10'),
      (2, gen_random_uuid(), 'bob', 'offer', 'lunch: at one: device:d1, Al'), (3, gen_random_uuid(), 'device:d1', 'offer', 'x: device:d1'),
      (3, gen_random_uuid(), 'alice', 'end', 'al');
    insert into refusal values (0, 'unknown', 1, now(), 'pre.d10'), (0, 'topic', 1, now(), 'fleet.v1.4.pre.d1.mrk81q2c');
    insert into audit(actor, action, subject, detail) values ('root', 'rollout', '1', 'start with pre.d1, pre.d10'),
      ('root', 'rollout', '2', 'start with pre.d10'), ('al', 'sign in', 'al', ''), ('alice', 'sign in', 'alice', '');
    insert into person(name) values ('al'), ('alice'), ('offers');
    """

  private static let logs = "select actor, detail from share_log order by log_id"
  private static let notices = """
    select device_id, convert_from(payload, 'UTF8')::jsonb #>> '{shares,0,recipients,0,name}', convert_from(payload, 'UTF8')::jsonb #>> '{offers,0,owner}'
    from device_message where kind = 2 order by number
    """

  @Test("an erased device takes nothing of a device whose name begins with its name, or that has its name at another site")
  func device() throws {
    _ = try identities.erase(try #require(StoredIdentity(.device, "pre.d1")), suppressingFor: 24, by: "root")
    #expect(try connection.lines("select revision, reason from rollout order by 1") == ["2\t", "4\t", "5\t", "6\tpre.d10 is silent"])
    #expect(try connection.lines("select count(*) from device_message where kind = 1") == ["4"])
    #expect(
      try connection.lines(Self.notices) == ["4\tdevice:d10\tx", "6\tdevice:d1\tx", "4\tAl\tx", "4\tx\tal", "4\talice\toffers"])
    #expect(
      try connection.lines(Self.logs)
        == ["erased\t", "device:d10\tal, device:d1: alice, device:d10", "bob\t", "device:d1\tx: device:d1", "alice\tal"])
    #expect(try connection.lines("select reason, detail from refusal order by 1") == ["topic\terased", "unknown\tpre.d10"])
    #expect(try connection.lines("select detail from audit where action = 'rollout' order by audit_id") == ["", "start with pre.d10"])
    #expect(try connection.lines("select count(*) from device") == ["5"])
  }

  @Test("an erased person takes nothing of a person whose name contains the name, and nothing of a purpose or a key of JSON")
  func person() throws {
    _ = try identities.erase(.person("AL"), suppressingFor: 0, by: "root")
    #expect(
      try connection.lines(Self.notices) == [
        "4\tdevice:d1\tx", "4\tx\tdevice:d1", "4\tdevice:d10\tx", "6\tdevice:d1\tx", "4\talice\toffers",
      ])
    #expect(
      try connection.lines(Self.logs)
        == ["device:d1\tlunch: bob", "device:d10\tal, device:d1: alice, device:d10", "bob\t", "device:d1\tx: device:d1", "alice\tal"])
    #expect(try connection.lines("select actor from rollout where revision < 3 order by revision") == ["erased", "alice"])
    #expect(try connection.lines("select name from person order by 1") == ["alice", "offers"])
    _ = try identities.erase(.person("offers"), suppressingFor: 0, by: "root")
    #expect(try connection.lines(Self.notices).count == 4)
    let log = try connection.lines(Self.logs)
    #expect(try identities.erase(.person("ali"), suppressingFor: 0, by: "root").isEmpty)
    #expect(try connection.lines(Self.logs) == log)
  }

  @Test("an export has each row once, notices as JSON, and nothing of another site")
  func export() throws {
    func rows(_ identity: StoredIdentity, _ table: String, _ column: String) throws -> [String] {
      var json = ""
      _ = try identities.export(identity, by: "root") { json += $0 }
      let rows = try connection.run(
        PostgreSQLStatement(
          "select row #>> $3::text[] from jsonb_array_elements($1::jsonb -> 'tables' -> $2) with ordinality as r(row, n) order by n",
          [.text(json), .text(table), .text("{\(column)}")]))
      return rows.rows.map { $0[0] ?? "null" }
    }
    // The second entry is that of the export itself.
    #expect(try rows(.person("al"), "audit", "action") == ["sign in", "export person"])
    #expect(try rows(.person("al"), "device_message", "payload,offers,0,owner") == ["x", "al"])
    let device = try #require(StoredIdentity(.device, "mus.d1"))
    #expect(try rows(device, "share_log", "detail") == ["x: device:d1"])
    #expect(try rows(device, "device_message", "payload,shares,0,recipients,0,name").filter { $0 != "null" } == ["device:d1"])
    #expect(try rows(device, "rollout", "revision") == ["2"])
  }
}
