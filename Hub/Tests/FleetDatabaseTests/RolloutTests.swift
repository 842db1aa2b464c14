import FleetMessages
import FleetStatus
import Ingest
import Instants
import PostgreSQL
import Retention
import RolloutJobs
import FleetRollouts
import Testing

@testable import FleetDatabase

/// Rollouts in a database with the devices door, hall and shop of berlin and door of paris.
@Suite struct RolloutTests {
  let parameters: String
  let connection: PostgreSQLConnection
  let rollouts: RolloutDatabase

  init() throws {
    parameters = try PrivateServer.fleet()
    connection = try PostgreSQLConnection(parameters)
    rollouts = try RolloutDatabase(try PostgreSQLConnection(parameters))
    try connection.run(
      script: """
        insert into site(name, partition) values ('paris', 4);
        insert into device(site_id, name) values (1, 'hall'), (1, 'shop'), (2, 'door');
        insert into device_state select device_id, now(), now(), null, 0, 0 from device;
        insert into device_report(device_id, version, revision, dropped_digests, problems)
          select device_id, '1', 0, 0, '{}' from device where name <> 'shop'
        """)
  }

  func request(_ revision: Int64, to audience: String...) throws -> RolloutRequest {
    let rollout = Rollout(
      revision: revision, created: 1, audience: try audience.map { try #require(RolloutAudience($0)) }, dropIn: "# \(revision)")
    return try RolloutRequest(SignedRollout(envelope: rollout.octets, signature: [UInt8](repeating: 0, count: 64)).octets)
  }

  @discardableResult
  func start(_ revision: Int64, to audience: String = "berlin", canary: String = "berlin.door", soak: Double = 3600) throws
    -> [String]
  {
    try rollouts.start(
      try request(revision, to: audience), canaries: [try #require(FleetAddress(commonName: canary))], soak: .seconds(soak), by: "root")
  }

  func step() {
    let text = parameters
    RolloutJob {
      try RolloutDatabase(try PostgreSQLConnection(text))
    } report: { _ in
    }.run(until: { true }, pause: { _ in })
  }

  /// Stores a report of a device, and acknowledges its messages.
  func report(_ name: String, _ revision: Int64, _ state: RolloutReport.State, _ text: String = "", problems: String = "{}") throws {
    let applied = state == .onTrial || state == .confirmed ? revision : 0
    let device = "(select device_id from device join site s using (site_id) where s.name || '.' || device.name = '\(name)')"
    try connection.run(
      script: """
        insert into device_report(device_id, version, revision, dropped_digests, problems, rollout_revision, rollout_state, rollout_text)
          values (\(device), '1', \(applied), 0, '\(problems)', \(revision), \(state.rawValue), '\(text)')
        on conflict (device_id) do update set received_at = now(), revision = excluded.revision, problems = excluded.problems,
          rollout_revision = excluded.rollout_revision, rollout_state = excluded.rollout_state, rollout_text = excluded.rollout_text;
        update device_message set acknowledged_at = now() where device_id = \(device) and kind = 1;
        update device_state set received_at = now()
        """)
  }

  /// The rollouts with their phases.
  var phases: [String] { get throws { try connection.lines("select revision, phase from rollout order by revision") } }

  /// The devices with a message that waits, and its revision.
  private var waiting: [String] {
    get throws {
      let rows = try connection.run(
        script: """
          select s.name || '.' || d.name, m.payload from device_message m join device d using (device_id) join site s using (site_id)
          where kind = 1 and acknowledged_at is null order by 1
          """
      ).rows
      return try rows.map { "\($0[0] ?? "") \(try RolloutRequest(try #require($0.octets(1))).rollout.revision)" }
    }
  }

  func pass(_ interval: String) throws {
    try connection.run(
      script: """
        update rollout set since = since - interval '\(interval)';
        update rollout_device set sent_at = sent_at - interval '\(interval)';
        update rollout_watch set since = since - interval '\(interval)'
        """)
  }

  @Test("the canary gets it first, and the others after its confirmation and the soak")
  func course() throws {
    try start(7)
    step()
    #expect(try waiting == ["berlin.door 7"])
    step()
    #expect(try connection.lines("select count(*) from device_message") == ["1"])
    try report("berlin.door", 7, .onTrial)
    step()
    #expect(try phases == ["7\tcanary"] && connection.lines("select state from rollout_device") == ["0"])
    try report("berlin.door", 7, .confirmed)
    step()
    #expect(try phases == ["7\tsoak"] && waiting.isEmpty)
    try pass("59 minutes")
    step()
    #expect(try phases == ["7\tsoak"])
    try pass("1 minute")
    step()
    #expect(try phases == ["7\trest"] && waiting == ["berlin.hall 7", "berlin.shop 7"])
    // A device that is enrolled later gets it, also one whose disk was replaced.
    try connection.run(
      script:
        "insert into device(site_id, name) values (1, 'attic'); update device_report set revision = 0, rollout_revision = null where device_id = 1; update device_message set acknowledged_at = now() - interval '2 hours' where device_id = 1"
    )
    step()
    #expect(try waiting == ["berlin.attic 7", "berlin.door 7", "berlin.hall 7", "berlin.shop 7"])
    #expect(
      try connection.lines("select actor, site_id, subject, detail from audit order by audit_id")
        == ["root\t1\t7\tstart with berlin.door", "hub\t1\t7\tsoak", "hub\t1\t7\trest"])
    let shown = try rollouts.rollouts()
    #expect(shown.map(\.phase) == ["rest"] && shown[0].canaries.map(\.name) == ["berlin.door"] && shown[0].counts.waiting == 4)
  }

  @Test("a canary that rolls back ends it, and nothing more is sent")
  func rolledBack() throws {
    try start(7)
    step()
    try report("berlin.door", 7, .rolledBack, "offline for 10 minutes")
    step()
    step()
    #expect(try phases == ["7\tfailed"] && waiting.isEmpty)
    #expect(try connection.lines("select reason from rollout") == ["berlin.door rolled it back: offline for 10 minutes"])
    #expect(throws: RolloutError.lost(canary: "berlin.door", isRevoked: false)) { try rollouts.resume(nil, by: "root") }
    try start(8, canary: "berlin.hall")
    step()
    #expect(try phases == ["7\tfailed", "8\tcanary"] && waiting == ["berlin.hall 8"])
  }

  @Test("a silent canary ends it, its message is deleted, and it gets the message again when the rollout continues")
  func silence() throws {
    try start(7)
    step()
    #expect(try waiting == ["berlin.door 7"])
    try pass("30 minutes")
    step()
    #expect(try phases == ["7\tfailed"] && waiting.isEmpty)
    #expect(try rollouts.resume(nil, by: "root").phase == .canary)
    step()
    #expect(try phases == ["7\tcanary"] && waiting == ["berlin.door 7"])
  }

  @Test("time without a worker, or without a message of any device, is not silence")
  func unwatched() throws {
    try start(7)
    step()
    try pass("40 minutes")
    try connection.run(script: "update rollout_watch set checked_at = now() - interval '2 minutes'")
    step()
    #expect(try phases == ["7\tcanary"])
    try pass("40 minutes")
    try connection.run(script: "update device_state set received_at = now() - interval '7 minutes'")
    step()
    #expect(try phases == ["7\tcanary"])
  }

  @Test("a new problem of a canary begins the soak again, until it is accepted")
  func newProblem() throws {
    try report("berlin.door", 0, .refused, problems: "{\"2 adapters fail\"}")
    try start(7)
    step()
    try report("berlin.door", 7, .confirmed, problems: "{\"3 adapters fail\"}")
    step()
    try report("berlin.door", 7, .confirmed, problems: "{\"the clock is wrong\"}")
    try pass("2 hours")
    step()
    #expect(try connection.lines("select phase, reason from rollout") == ["soak\tberlin.door has a new problem: the clock is wrong"])
    _ = try rollouts.stop(nil, by: "root")
    #expect(try rollouts.resume(7, by: "root").phase == .soak)
    try pass("1 hour")
    step()
    #expect(try phases == ["7\trest"])
  }

  @Test("failures of two of the other devices end it")
  func restFails() throws {
    try start(7, soak: 0)
    step()
    try report("berlin.door", 7, .confirmed)
    for _ in 0..<2 { step() }
    #expect(try phases == ["7\trest"])
    try report("berlin.hall", 7, .refused, "line 3: unknown key")
    step()
    #expect(try phases == ["7\trest"] && waiting == ["berlin.shop 7"])
    try report("berlin.shop", 7, .refused, "line 3: unknown key")
    try connection.run(script: "insert into device(site_id, name) values (1, 'attic')")
    step()
    #expect(try phases == ["7\tfailed"] && waiting.isEmpty)
    #expect(try rollouts.rollouts()[0].failures.map(\.text) == ["line 3: unknown key", "line 3: unknown key"])
  }

  @Test("a newer rollout takes the place of an older one, and a canary keeps the message of the newer one")
  func newer() throws {
    try start(7, soak: 0)
    step()
    try report("berlin.door", 7, .confirmed)
    for _ in 0..<2 { step() }
    try start(8, to: "berlin.hall", canary: "berlin.hall")
    for _ in 0..<2 { step() }
    #expect(try waiting == ["berlin.hall 8", "berlin.shop 7"])
    #expect(try rollouts.stop(nil, by: "root") == 8)
    step()
    #expect(try waiting == ["berlin.hall 7", "berlin.shop 7"])
  }

  @Test("a device that refused a forged revision gets the rollout, and one that took a newer one does not")
  func forged() throws {
    try report("berlin.door", 1 << 53, .refused, "the signature is not by the rollout-key")
    try start(7, soak: 0)
    step()
    #expect(try waiting == ["berlin.door 7"])
    try report("berlin.door", 7, .confirmed)
    for _ in 0..<2 { step() }
    try start(8, to: "berlin.hall", canary: "berlin.hall")
    step()
    try report("berlin.hall", 8, .rolledBack)
    step()
    #expect(try phases == ["7\trest", "8\tfailed"] && waiting == ["berlin.shop 7"])
  }

  @Test("a start that cannot work is refused, and changes nothing")
  func refused() throws {
    func refusal(_ body: () throws -> [String]) -> String {
      do { return "\(try body())" } catch { return "\(error)" }
    }
    #expect(
      refusal { try start(7, canary: "paris.door") } == "paris.door is not in the audience that was signed; choose a canary from berlin")
    #expect(
      refusal { try start(7, canary: "berlin.attic") }
        == "a canary is not enrolled, or is revoked; choose another one instead of berlin.attic")
    #expect(refusal { try start(7, to: "rome", canary: "rome.door") } == "no site rome is enrolled; enrol a device of it first")
    #expect(try phases.isEmpty && connection.lines("select count(*) from audit") == ["0"])
    try start(7)
    #expect(refusal { try start(7, to: "paris", canary: "paris.door") }.contains("sign it with --revision 8"))
    #expect(refusal { try start(8, to: "berlin.hall", canary: "berlin.hall") }.contains("rollout 7 is still tried by its canaries"))
    #expect(try start(8, to: "paris", canary: "paris.door").isEmpty)
    #expect(refusal { [String(try rollouts.stop(9, by: "root"))] } == "there is no rollout 9")
    #expect(refusal { ["\(try rollouts.resume(nil, by: "root"))"] } == "no rollout is stopped or failed")
    #expect(try phases == ["7\tcanary", "8\tcanary"])
  }

  @Test("an erasure of a device deletes its state and the rollouts that name it, and those of its site stay")
  func erasure() throws {
    try start(7)
    step()
    try report("berlin.door", 7, .refused, "no rollout-key")
    step()
    try start(8, to: "berlin.hall", canary: "berlin.hall")
    step()
    _ = try rollouts.stop(8, by: "root")
    try connection.run(script: "update device set revoked_at = now()")
    let identities = try IdentityDatabase(try PostgreSQLConnection(parameters))
    for name in ["berlin.door", "berlin.hall"] {
      _ = try identities.erase(try #require(StoredIdentity(.device, name)), suppressingFor: 1, by: "root")
    }
    #expect(try phases == ["7\tfailed"])
    let texts = "select r::text from rollout r union all select x::text from rollout_device x union all select a::text from audit a"
    let left = try connection.lines(texts)
    #expect(!left.isEmpty && !left.contains { $0.contains("door") || $0.contains("hall") })
  }

  @Test("a worker stores the rollout of a report, and the page gets it")
  func stored() throws {
    let worker = try IngestDatabase(try PostgreSQLConnection(parameters))
    var batch = Batch()
    batch.epochs = [0: try worker.acquire(queue: 0, worker: "test")]
    batch.reports = [
      1: (time: 0, report: DeviceReport(version: "2", revision: 7, rollout: RolloutReport(revision: 8, state: .refused, text: "key"))),
      2: (time: 0, report: DeviceReport(version: "2")),
    ]
    _ = try worker.write(batch)
    #expect(
      try connection.lines(
        "select revision, rollout_revision, rollout_state, rollout_text from device_overview where version = '2' order by device_id")
        == ["7\t8\trefused\tkey", "0\tnull\tnull\tnull"])
    let device = try #require(try StatusDatabase(connection).status().devices.first { $0.name == "berlin.door" })
    #expect(device.rollout == .init(revision: 8, state: .refused, text: "key"))
  }
}
