import FleetMessages
import FleetStatus
import Instants
import PostgreSQL
import FleetRollouts

extension RolloutDatabase {
  /// Starts a rollout, which workers then advance. Returns the named devices of the audience that are not enrolled.
  ///
  /// Throws `RolloutRefusal`, and changes nothing, if a canary cannot get it, if its revision is too low, or while another one is tried at
  /// its sites.
  public func start(_ request: RolloutRequest, canaries: [FleetAddress], soak: Span, by actor: String) throws -> [String] {
    let rollout = request.rollout
    if let canary = canaries.first(where: { !rollout.isFor($0) }) {
      let names = rollout.audience.map { "\($0)" }.joined(separator: ", ")
      throw RolloutRefusal("\(canary.commonName) is not in the audience that was signed; choose a canary from \(names)", isOfArgument: true)
    }
    let audience = Self.texts(rollout.audience.map { "\($0)" })
    return try transaction {
      try checkRevision(rollout.revision)
      try checkSites(request)
      var content = BinaryArray(of: .bytea)
      content.append(request.octets)
      let answers = try connection.run([
        PostgreSQLStatement(
          """
          insert into rollout(revision, content, audience, actor, soak)
          select $1::int8, c, $3::text[], $4, $5::int8 * interval '1 microsecond' from unnest($2::bytea[]) c
          """, [.integer(rollout.revision), .array(content), audience, .text(actor), .integer(soak.microseconds)]),
        PostgreSQLStatement(
          """
          insert into rollout_device(revision, device_id, is_canary, known_problems)
          select $1::int8, d.device_id, true, coalesce(r.problems, '{}') from device d join site s using (site_id)
            left join device_report r using (device_id)
          where s.name || '.' || d.name = any($2::text[]) and d.revoked_at is null returning device_id
          """, [.integer(rollout.revision), Self.texts(canaries.map(\.commonName))]),
        PostgreSQLStatement(
          """
          insert into audit(actor, action, site_id, subject, detail)
          select $1, 'rollout', s.site_id, $2, 'start with ' || (
            select concat_ws(', ', string_agg(c, ', ') filter (where split_part(c, '.', 1) = s.name),
              case when count(*) > count(*) filter (where split_part(c, '.', 1) = s.name) then 'canaries of other sites' end)
            from unnest($3::text[]) c)
          from site s where \(Self.isSite("s.name", of: "$4::text[]"))
          """, [.text(actor), .integer(rollout.revision), Self.texts(canaries.map(\.commonName)), audience]),
        PostgreSQLStatement(
          """
          select e from unnest($1::text[]) e where position('.' in e) > 0 and not exists (
            select from device d join site s using (site_id) where s.name || '.' || d.name = e and d.revoked_at is null)
          """, [audience]),
      ])
      guard answers[1].rows.count == Set(canaries).count else {
        throw RolloutRefusal(
          "a canary is not enrolled, or is revoked; choose another one instead of \(canaries.map(\.commonName).joined(separator: ", "))",
          isOfArgument: true)
      }
      return answers[3].rows.compactMap { $0[0] }
    }
  }

  private func checkRevision(_ revision: Int64) throws {
    let newest = Int64(try connection.run(script: "select coalesce(max(revision), 0) from rollout").first ?? "") ?? 0
    guard revision > newest else {
      throw RolloutRefusal(
        "revision \(revision) is not greater than \(newest), which was started before, so that devices may refuse it; sign it with --revision \(newest + 1)"
      )
    }
  }

  private func checkSites(_ request: RolloutRequest) throws {
    let sites = Self.texts(request.sites.sorted())
    let unknown = try connection.run(
      PostgreSQLStatement("select w from unnest($1::text[]) w where not exists (select from site where name = w) order by 1", [sites]))
    if let site = unknown.first { throw RolloutRefusal("no site \(site) is enrolled; enrol a device of it first") }
    try checkTrials(at: sites, besides: request.rollout.revision)
  }

  /// Throws if the canaries of another rollout try it at one of the sites.
  private func checkTrials(at sites: PostgreSQLValue, besides revision: Int64) throws {
    let others = try connection.run(
      PostgreSQLStatement(
        """
        select o.revision, s from rollout o cross join unnest($1::text[]) s
        where o.revision <> $2::int8 and o.phase in ('canary', 'soak') and \(Self.isSite("s", of: "o.audience")) order by 1, 2 limit 1
        """, [sites, .integer(revision)]))
    if let row = others.rows.first {
      throw RolloutRefusal(
        "rollout \(row[0] ?? "") is still tried by its canaries, also for \(row[1] ?? ""); wait for it, or stop it first")
    }
  }

  /// Throws if a newer rollout keeps devices from taking this one.
  private func checkNewer(_ progress: RolloutProgress, at sites: PostgreSQLValue) throws {
    let newer = try connection.run([
      PostgreSQLStatement(
        """
        select o.revision, s from rollout o cross join unnest($2::text[]) s
        where o.revision > $1::int8 and o.phase = 'rest' and \(Self.isSite("s", of: "o.audience")) order by 1, 2 limit 1
        """, [.integer(progress.revision), sites]),
      PostgreSQLStatement(
        """
        select y.revision, s.name || '.' || d.name from rollout_device x join rollout_device y using (device_id)
          join device d using (device_id) join site s using (site_id)
        where x.revision = $1::int8 and x.is_canary and y.revision > x.revision and y.sent_at is not null order by 1, 2 limit 1
        """, [.integer(progress.revision)]),
    ])
    let remedy = "sign this one again with a greater revision"
    if let row = newer[0].rows.first {
      throw RolloutRefusal(
        "rollout \(row[0] ?? "") is newer and is sent to all of its devices, also at \(row[1] ?? ""), which take no older one; \(remedy)")
    }
    if progress.phase != .rest, let row = newer[1].rows.first {
      throw RolloutRefusal("the canary \(row[1] ?? "") has got rollout \(row[0] ?? ""), which is newer, and takes no older one; \(remedy)")
    }
  }

  /// Stops a rollout, and returns its revision.
  ///
  /// - Parameter revision: nil for the newest one that is in progress
  public func stop(_ revision: Int64?, by actor: String) throws -> Int64 {
    try transaction {
      var progress = try find(revision, where: "phase in ('canary', 'soak', 'rest')", "in progress")
      guard progress.stop(by: actor, at: try now()) else {
        throw RolloutRefusal("rollout \(progress.revision) has ended already; \"beaconmon-hub admin rollout status\" shows it")
      }
      try write(progress, by: actor)
      return progress.revision
    }
  }

  /// Continues a rollout that was stopped or has failed, and returns its progress.
  ///
  /// The present problems of its canaries count as known. Throws `RolloutRefusal`, and changes nothing, while another rollout is tried at
  /// its sites, or if a newer one is for devices of it.
  ///
  /// - Parameter revision: nil for the newest one that has ended
  public func resume(_ revision: Int64?, by actor: String) throws -> RolloutProgress {
    try transaction {
      var progress = try find(revision, where: "phase in ('stopped', 'failed')", "stopped or failed")
      try progress.resume(try observe(progress.revision))
      let sites = try sites(of: progress.revision)
      try checkTrials(at: sites, besides: progress.revision)
      try checkNewer(progress, at: sites)
      try connection.run([
        PostgreSQLStatement(
          """
          update rollout_device x set known_problems = r.problems from device_report r
          where x.revision = $1::int8 and x.is_canary and r.device_id = x.device_id
          """, [.integer(progress.revision)]),
        // Messages that the end has deleted are written again.
        PostgreSQLStatement(
          "update rollout_device set sent_at = null where revision = $1::int8 and is_canary and state is null",
          [.integer(progress.revision)]),
      ])
      try write(progress, by: actor)
      return progress
    }
  }

  private func find(_ revision: Int64?, where condition: String, _ state: String) throws -> RolloutProgress {
    guard let found = try progresses(where: revision.map { "revision = \($0)" } ?? condition).last else {
      throw RolloutRefusal(revision.map { "there is no rollout \($0)" } ?? "no rollout is \(state)", isOfArgument: revision != nil)
    }
    return found
  }

  /// Returns the names of the sites in the audience.
  private func sites(of revision: Int64) throws -> PostgreSQLValue {
    let names = try connection.run(
      PostgreSQLStatement(
        "select distinct split_part(e, '.', 1) from rollout, unnest(audience) e where revision = $1::int8", [.integer(revision)]))
    return Self.texts(names.rows.compactMap { $0[0] })
  }

  private func now() throws -> Instant {
    Instant(microseconds: Int64(try connection.run(script: "select \(time("now()"))").first ?? "") ?? 0)
  }

  private static func texts(_ texts: [String]) -> PostgreSQLValue {
    var array = BinaryArray(of: .text)
    for text in texts { array.append(text) }
    return .array(array)
  }

  /// Returns the rollouts, the newest first.
  public func rollouts() throws -> [FleetStatus.Rollout] { try FleetStatus.Rollout.all(connection) }
}

/// The reason why a rollout is not started, stopped or continued.
public struct RolloutRefusal: Error, CustomStringConvertible {
  public var description: String
  /// Whether an argument is wrong, such as a revision or a device that the hub does not know.
  public var isOfArgument: Bool

  init(_ description: String, isOfArgument: Bool = false) { (self.description, self.isOfArgument) = (description, isOfArgument) }
}

extension FleetStatus.Rollout {
  /// The maximum number of devices with a failure of one rollout.
  private static let mostFailures = 20

  /// Reads the newest rollouts.
  static func all(_ connection: PostgreSQLConnection, limit: Int = 20) throws(PostgreSQLError) -> [Self] {
    let newest = "(select revision from rollout order by revision desc limit \(limit))"
    let answers = try connection.run([
      PostgreSQLStatement(
        """
        select o.revision, o.phase, extract(epoch from now() - o.since)::int8, o.reason, array_to_string(o.audience, ', '), o.actor,
          extract(epoch from o.soak)::int8, count(x.device_id) filter (where x.state is null), count(*) filter (where x.state = 0),
          count(*) filter (where x.state = 1), count(*) filter (where x.state = 2), count(*) filter (where x.state = 3)
        from rollout o left join rollout_device x using (revision) where o.revision in \(newest) group by o.revision order by o.revision desc
        """),
      PostgreSQLStatement(
        """
        select x.revision, s.name || '.' || d.name, x.state, x.detail, x.is_canary from rollout_device x join device d using (device_id)
          join site s using (site_id)
        where x.revision in \(newest) and (x.is_canary or x.state in (2, 3)) order by x.is_canary desc, s.name, d.name
        """),
    ])
    return answers[0].rows.map { row in
      var rollout = FleetStatus.Rollout(
        revision: row.number(0, Int64.self) ?? 0, phase: row[1] ?? "", age: row.number(2, Int64.self) ?? 0, reason: row[3] ?? "",
        audience: row[4] ?? "", actor: row[5] ?? "", soak: row.number(6, Int64.self) ?? 0,
        counts: FleetStatus.RolloutCounts(
          waiting: row.number(7, Int64.self) ?? 0, onTrial: row.number(8, Int64.self) ?? 0, confirmed: row.number(9, Int64.self) ?? 0,
          refused: row.number(10, Int64.self) ?? 0, rolledBack: row.number(11, Int64.self) ?? 0))
      for device in answers[1].rows where device[0] == row[0] {
        let entry = FleetStatus.RolloutDevice(
          name: device[1] ?? "", state: device.number(2, Int.self).flatMap(FleetStatus.RolloutState.init(rawValue:)), text: device[3] ?? "")
        if device[4] == "t" {
          rollout.canaries.append(entry)
        } else if rollout.failures.count < mostFailures {
          rollout.failures.append(entry)
        }
      }
      return rollout
    }
  }
}
