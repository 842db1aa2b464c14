public import Ingest
public import Instants
public import PostgreSQL

/// Notes outages for `beaconmon-hub status` and the page. One instance serves one thread.
public final class OutageDatabase: OutageLog {
  /// The first number of the advisory lock of a worker that finds the disk full.
  ///
  /// The second one is the time, in seconds since 2020.
  private static let lock = 4712
  /// Outages within this time in seconds are one: a disk that is nearly full takes some transactions.
  private static let gap = 10

  private let connect: () throws -> PostgreSQLConnection
  private let clock: any IngestClock
  /// The uptime at the first failure of the present outage.
  private var began: Instant?
  /// The link that holds the lock.
  private var link: PostgreSQLConnection?

  public init(clock: any IngestClock, connect: @escaping () throws -> PostgreSQLConnection) {
    (self.clock, self.connect) = (clock, connect)
  }

  public func note(_ error: any Error) -> Bool {
    guard (error as? PostgreSQLError)?.isOfFullDisk ?? false else { return false }
    let began = began ?? clock.uptime
    self.began = began
    // A full database takes locks, which are in its memory. The lock is missing only if the database takes no link.
    do { try hold(for: clock.uptime - began) } catch { link = nil }
    return true
  }

  /// Takes the lock unless the link has it already.
  private func hold(for time: Span) throws {
    if let link {
      try link.run(script: "select 1")
      return
    }
    let link = try connect()
    // A cast alone rounds, so that an outage could begin later than its first failure.
    let began = "floor(extract(epoch from now()) - 1577836800 - \(time.microseconds) / 1000000.0)::int4"
    try link.run(script: "select pg_advisory_lock_shared(\(Self.lock), \(began))")
    self.link = link
  }

  public func end() throws -> Span? {
    guard let began else { return nil }
    let time = clock.uptime - began
    // The link with the lock may have ended since then, as with a database that was restarted.
    try connect().run([
      PostgreSQLStatement(
        """
        with earlier as (
          update outage set ended_at = now(), began_at = least(began_at, now() - $1::int8 * interval '1 second')
          where part = 'database' and ended_at > now() - ($1::int8 + \(Self.gap)) * interval '1 second' returning 1)
        insert into outage(part, cause, began_at, ended_at)
        select 'database', 'disk', now() - $1::int8 * interval '1 second', now() where not exists (select from earlier)
        """, [.integer(time.microseconds / 1_000_000)]), Self.expiry,
    ])
    (self.began, link) = (nil, nil)
    return time
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
