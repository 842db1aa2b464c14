import FleetMessages
import Instants
import PostgreSQL
import RolloutJobs
import FleetRollouts

/// The rollouts of configuration, and the devices that got them.
public final class RolloutDatabase: RolloutStore {
  /// The number of the advisory lock of a transaction that changes rollouts.
  private static let lock = "4711, 10"
  /// The longest time between two steps, and without a message of any device, in which canaries count as watched.
  private static let (stepGap, messageGap) = ("60 seconds", "6 minutes")
  /// The time for which rollouts are kept that have ended or been replaced.
  private static let kept = "90 days"
  /// Separates texts of an array.
  private static let separator = "\u{1F}"

  let connection: PostgreSQLConnection

  public init(_ connection: PostgreSQLConnection) throws {
    self.connection = connection
    try connection.beginService()
    try FleetSchema(connection).check()
  }

  // MARK: Steps

  public func begin() throws -> Bool {
    guard try connection.run(script: "begin; select pg_try_advisory_xact_lock(\(Self.lock))").first == "t" else {
      try connection.run(script: "rollback")
      return false
    }
    return true
  }

  public func commit() throws { try connection.run(script: "commit") }

  /// Runs a change as a transaction, which waits for those of other processes.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try connection.run(script: "begin; select pg_advisory_xact_lock(\(Self.lock))")
    do {
      let result = try body()
      try commit()
      return result
    } catch {
      _ = try? connection.run(script: "rollback")
      throw error
    }
  }

  public func active() throws -> [RolloutProgress] {
    try connection.run(
      script: """
        update rollout_watch set checked_at = now(), since = least(now(), case
          when checked_at < now() - interval '\(Self.stepGap)'
            or not exists (select from device_state where received_at > now() - interval '\(Self.messageGap)') then now()
          else since end);
        delete from rollout o where started_at < now() - interval '\(Self.kept)' and (phase in ('stopped', 'failed')
          or exists (select from rollout n where n.revision > o.revision and n.phase = 'rest' and n.audience @> o.audience));
        update rollout_device x set state = r.rollout_state, detail = coalesce(r.rollout_text, '') from device_report r
          where r.device_id = x.device_id and r.rollout_revision = x.revision
            and (x.state, x.detail) is distinct from (r.rollout_state, coalesce(r.rollout_text, ''))
        """)
    return try progresses(where: "phase in ('canary', 'soak', 'rest')")
  }

  func progresses(where condition: String) throws -> [RolloutProgress] {
    let rows = try connection.run(
      script: """
        select revision, (extract(epoch from soak) * 1000000)::int8, phase, \(time("since")), reason, interrupted, accepted_failures
        from rollout where \(condition) order by revision
        """
    ).rows
    return try rows.map { row in
      guard let revision = row.number(0, Int64.self), let soak = row.number(1, Int64.self),
        let phase = row[2].flatMap(RolloutProgress.Phase.init(rawValue:)), let since = row.time(3), let accepted = row.number(6, Int.self)
      else { throw PostgreSQLError(message: "the table rollout has a row that cannot be read") }
      return RolloutProgress(
        revision: revision, soak: Span(microseconds: soak), phase: phase, since: since, reason: row[4] ?? "",
        interrupted: row[5].flatMap(RolloutProgress.Phase.init(rawValue:)), acceptedFailures: accepted)
    }
  }

  public func observe(_ revision: Int64) throws -> RolloutObservation {
    let number = PostgreSQLValue.integer(revision)
    let answers = try connection.run([
      PostgreSQLStatement("select \(time("now()")), \(time("since")) from rollout_watch"),
      PostgreSQLStatement(
        """
        select s.name || '.' || d.name, d.revoked_at is not null, \(time("x.sent_at")), x.state, x.detail, r.revision, \(time("t.received_at")),
          array_to_string(r.problems, chr(31)), array_to_string(x.known_problems, chr(31))
        from rollout_device x join device d using (device_id) join site s using (site_id) left join device_report r using (device_id)
          left join device_state t using (device_id)
        where x.revision = $1::int8 and x.is_canary order by 1
        """, [number]),
      PostgreSQLStatement(
        """
        select count(*) filter (where state = 1), count(*) filter (where state in (2, 3)) from rollout_device
        where revision = $1::int8 and not is_canary
        """, [number]),
    ])
    guard let watch = answers[0].rows.first, let now = watch.time(0), let since = watch.time(1), let counts = answers[2].rows.first else {
      throw PostgreSQLError(message: "the table rollout_watch is damaged")
    }
    return RolloutObservation(
      now: now, watchedSince: since, canaries: answers[1].rows.map(Self.canary), confirmed: counts.number(0, Int.self) ?? 0,
      failed: counts.number(1, Int.self) ?? 0)
  }

  private static func canary(_ row: [String?]) -> RolloutObservation.Canary {
    var canary = RolloutObservation.Canary(name: row[0] ?? "")
    canary.isRevoked = row[1] == "t"
    canary.sent = row.time(2)
    canary.state = row.number(3, Int64.self).flatMap(RolloutReport.State.init(rawValue:))
    canary.text = row[4] ?? ""
    canary.applied = row.number(5, Int64.self) ?? 0
    canary.heard = row.time(6)
    func texts(_ column: Int) -> [String] { (row[column] ?? "").split(separator: separator).map(String.init) }
    canary.newProblems = ProblemText.added(texts(7), to: texts(8))
    return canary
  }

  public func write(_ progress: RolloutProgress) throws { try write(progress, by: "hub") }

  /// Stores the progress of a rollout.
  ///
  /// A change of its phase is in the audit log of each site, without the devices of other sites.
  func write(_ progress: RolloutProgress, by actor: String) throws {
    let number = PostgreSQLValue.integer(progress.revision)
    var statements = [
      PostgreSQLStatement(
        """
        with former as (select revision, phase, audience from rollout where revision = $1::int8),
        changed as (
          update rollout set phase = $2, since = timestamptz 'epoch' + $3::int8 * interval '1 microsecond', reason = $4, interrupted = $5,
            accepted_failures = $6::int4
          where revision = $1::int8)
        insert into audit(actor, action, site_id, subject, detail)
        select $7, 'rollout', s.site_id, f.revision::text, concat_ws(': ', $2, case
          when exists (
            select from rollout_device x join device d using (device_id) join site c using (site_id)
            where x.revision = f.revision and x.is_canary and c.site_id <> s.site_id and starts_with($4, c.name || '.' || d.name || ' '))
          then 'a canary of another site has failed'
          else nullif($4, '') end)
        from former f join site s on \(Self.isSite("s.name", of: "f.audience")) where f.phase <> $2
        """,
        [
          number, .text(progress.phase.rawValue), .integer(progress.since.microseconds), .text(progress.reason),
          progress.interrupted.map { .text($0.rawValue) } ?? .null, .integer(progress.acceptedFailures), .text(actor),
        ])
    ]
    if !progress.phase.isActive {
      statements.append(
        PostgreSQLStatement(
          """
          delete from device_message m using rollout_device x
          where x.revision = $1::int8 and m.number = x.message and m.device_id = x.device_id and m.acknowledged_at is null
          """, [number]))
    }
    try connection.run(statements)
  }

  /// Returns the condition that a site, or a device of it, is in an audience.
  static func isSite(_ site: String, of audience: String) -> String {
    "exists (select from unnest(\(audience)) e where split_part(e, '.', 1) = \(site))"
  }

  public func send(_ revision: Int64, limit: Int) throws -> Int {
    let statement = PostgreSQLStatement("select fleet_send_rollout($1::int8, $2::int4)", [.integer(revision), .integer(limit)])
    return Int(try connection.run(statement).first ?? "") ?? 0
  }
}
