public import Ingest
public import Instants
public import PostgreSQL

/// Notes outages for `beaconmon-hub status` and the page.
public struct OutageDatabase: OutageLog {
  /// The first number of the advisory lock of a worker that finds the disk full.
  ///
  /// The second one is the time, in seconds since 2020.
  private static let lock = 4712

  private let connect: () throws -> PostgreSQLConnection

  public init(connect: @escaping () throws -> PostgreSQLConnection) { self.connect = connect }

  public func isOfFullDisk(_ error: any Error) -> Bool { (error as? PostgreSQLError)?.isOfFullDisk ?? false }

  /// Takes a lock on a new link. A full database takes locks, which are in its memory.
  public func showFullDisk(for time: Span) throws -> any OutageSign {
    let link = try connect()
    // A cast alone rounds, so that an outage could begin later than its first failure.
    let began = "floor(extract(epoch from now()) - 1577836800 - \(time.microseconds) / 1000000.0)::int4"
    try link.run(script: "select pg_advisory_lock_shared(\(Self.lock), \(began))")
    return link
  }

  /// Stores the outage on a new link, because the one with the lock may have ended.
  public func storeFullDisk(for time: Span, joining gap: Span) throws {
    try connect().run([
      PostgreSQLStatement(
        """
        with earlier as (
          update outage set ended_at = now(), began_at = least(began_at, now() - $1::int8 * interval '1 second')
          where part = 'database' and ended_at > now() - ($1::int8 + $2::int8) * interval '1 second' returning 1)
        insert into outage(part, cause, began_at, ended_at)
        select 'database', 'disk', now() - $1::int8 * interval '1 second', now() where not exists (select from earlier)
        """, [.integer(time.microseconds / 1_000_000), .integer(gap.microseconds / 1_000_000)]), Self.expiry,
    ])
  }

  public func note(alarm: String?, for time: Span) throws {
    let change =
      if let alarm {
        PostgreSQLStatement(
          """
          insert into outage(part, cause, began_at) values ('broker', $1, now() - $2::int8 * interval '1 second')
          on conflict (part) where ended_at is null do update set cause = excluded.cause
          """, [.text(alarm), .integer(time.microseconds / 1_000_000)])
      } else {
        PostgreSQLStatement("update outage set ended_at = now() where part = 'broker' and ended_at is null")
      }
    try connect().run([change, Self.expiry])
  }

  private static let expiry = PostgreSQLStatement("delete from outage where ended_at < now() - interval '90 days'")
}

extension PostgreSQLConnection: OutageSign {}
