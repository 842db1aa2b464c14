import FleetStatus
public import Instants
public import PostgreSQL
public import Retention
public import RetentionJobs

/// The data that expires, and the rules for it.
public final class RetentionDatabase: RetentionStore {
  /// The longest time for which a link waits for an answer.
  public static let limit = Span.seconds(120)
  /// The maximum number of rows that one statement deletes of a table without partitions.
  private static let mostRows = 5000

  private let connection: PostgreSQLConnection

  public init(_ connection: PostgreSQLConnection) throws {
    self.connection = connection
    // A partition is dropped when no other transaction uses its table. Others must not queue behind that for long.
    try connection.run(script: "set lock_timeout = '300ms'; set statement_timeout = '100s'; set time zone 'UTC'")
    try FleetSchema(connection).check()
  }

  public func claim() throws -> Bool { try connection.run(script: "select pg_try_advisory_lock(4711, 3)").first == "t" }

  public func time() throws -> Instant {
    let time = try connection.run(script: "select (extract(epoch from clock_timestamp()) * 1000000)::int8").first
    return Instant(microseconds: Int64(time ?? "") ?? 0)
  }

  public func expire(_ kind: RetentionKind) throws -> Bool {
    switch kind {
    case .digest, .roomChange, .visit: return try dropPartition(of: kind)
    case .event:
      let isMore = try delete(
        """
        with gone as (
          delete from refused_event where refused_id in (
            select refused_id from refused_event where received_at < now() - \(Self.age(of: kind)) order by refused_id limit $1::int8)
          returning 1)
        select count(*) from gone
        """)
      return try dropPartition(of: kind) || isMore
    case .audit:
      return try delete(
        """
        with gone as (
          delete from audit where audit_id in (select audit_id from audit where made_at < now() - \(Self.age(of: kind)) order by made_at limit $1::int8)
          returning 1)
        select count(*) from gone
        """)
    case .beacon:
      return try delete(
        """
        with old as materialized (
          select beacon_id from beacon b where entered_at < now() - \(Self.age(of: kind))
            and last_seen < (extract(epoch from now() - \(Self.age(of: kind))) * 1000)::int8
            and not exists (select from beacon_name n where n.beacon_id = b.beacon_id) limit $1::int8 for update skip locked),
        history as (delete from room_change c using old where c.beacon_id = old.beacon_id),
        gone as (delete from beacon b using old where b.beacon_id = old.beacon_id returning 1)
        select count(*) from gone
        """)
    case .message:
      return try delete(
        """
        with gone as (
          delete from device_message where number in (
            select number from device_message m join device d using (device_id)
            where created_at < now() - \(Self.age(of: kind)) or acknowledged_at < now() - interval '1 day' or d.revoked_at is not null
            limit $1::int8)
          returning 1)
        select count(*) from gone
        """)
    case .visitKey: return try forgetKeys()
    }
  }

  private static func age(of kind: RetentionKind) -> String {
    "(select make_interval(hours => hours) from retention where kind = '\(kind.rawValue)')"
  }

  /// Drops the oldest partition of a table if all of its rows have expired.
  private func dropPartition(of kind: RetentionKind) throws -> Bool {
    let rows = try connection.run(
      script: """
        select name from fleet_partitions('\(kind.rawValue)') where upper <= now() - \(Self.age(of: kind)) order by upper limit 1
        """)
    // The server has quoted the name as far as it needs that.
    guard let name = rows.first else { return false }
    try connection.run(script: "drop table \(name)")
    return true
  }

  private func delete(_ statement: String) throws -> Bool {
    Int(try connection.run(PostgreSQLStatement(statement, [.integer(Self.mostRows)])).first ?? "") == Self.mostRows
  }

  private func forgetKeys() throws -> Bool {
    try connection.run(script: "delete from suppression where until <= now(); select fleet_forget_keys()").first == "t"
  }

  public func note(_ kind: RetentionKind, failure: String?) throws {
    try connection.run(
      PostgreSQLStatement(
        "update retention set failure = $2, checked_at = case when $2::text is null then clock_timestamp() else checked_at end where kind = $1",
        [.text(kind.rawValue), failure.map { .text($0) } ?? .null]))
  }

  /// Sets the time for which data of a kind is kept, and notes it in the audit log.
  public func keep(_ kind: RetentionKind, hours: Int, by actor: String) throws {
    try connection.run(
      PostgreSQLStatement(
        """
        with earlier as (select kind, hours from retention where kind = $1),
        changed as (update retention r set hours = $2::int4 from earlier e where r.kind = e.kind and e.hours <> $2::int4 returning r.kind)
        insert into audit(actor, action, subject, detail) select $3, 'set retention', $4, e.hours || 'h to ' || $2 || 'h' from changed, earlier e
        """, [.text(kind.rawValue), .integer(hours), .text(actor), .text(kind.name)]))
  }

  /// Returns the rules, with what is stored.
  public func rules() throws -> [FleetStatus.Retention] { try FleetStatus.Retention.all(connection) }
}

extension FleetStatus.Retention {
  /// Reads the rules in the order of `RetentionKind`.
  static func all(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> [Self] {
    let rows = try connection.run(
      script: """
        select r.kind, hours, extract(epoch from now() - checked_at)::int8, failure, extract(epoch from now() - p.lower)::int8, p.size
        from retention r left join lateral (
          select min(f.lower) as lower, sum(pg_total_relation_size(f.name))::int8 as size
          from fleet_partitions(to_regclass(case when r.partition_hours is not null then r.kind end)) f where f.lower <= now()) p on true
        """
    ).rows
    return RetentionKind.allCases.compactMap { kind in
      rows.first { $0[0] == kind.rawValue }.map { row in
        FleetStatus.Retention(
          kind: kind.name, hours: Int(row[1] ?? "") ?? 0, oldest: row[4].flatMap { Int64($0) }, size: row[5].flatMap { Int64($0) },
          checked: row[2].flatMap { Int64($0) }, failure: row[3])
      }
    }
  }
}
