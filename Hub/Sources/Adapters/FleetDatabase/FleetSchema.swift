import Partitions
import PostgreSQL

/// The version of a database's schema: the number of migrations that were applied.
public struct FleetSchema {
  private let connection: PostgreSQLConnection
  private let migrations: [Migration]

  public init(_ connection: PostgreSQLConnection, migrations: [Migration] = Migration.all) {
    (self.connection, self.migrations) = (connection, migrations)
  }

  /// Returns the version of the schema; 0 for an empty database.
  public func version() throws -> Int {
    guard try connection.run(script: "select to_regclass('schema_version')").first != nil else { return 0 }
    return Int(try connection.run(script: "select coalesce(max(version), 0) from schema_version").first ?? "") ?? 0
  }

  /// Throws unless the schema is that of this program.
  public func check() throws {
    let version = try version()
    guard version != migrations.count else { return }
    throw SchemaError(
      version < migrations.count
        ? "the database has schema \(version), and this program needs \(migrations.count); run \"beaconmon-hub migrate\""
        : "the database has schema \(version), and this program knows \(migrations.count); install the program that wrote it")
  }

  /// Checks the schema, and waits for a database that does not answer yet, as after a boot of its machine.
  ///
  /// A service that exited instead would start again with the wait of its unit, and `systemctl start` would fail.
  ///
  /// - Parameters:
  ///   - report: Takes each error after which another attempt follows, unless it is that of the attempt before.
  ///   - pause: Waits before the next attempt.
  /// - Throws: an error that does not pass by itself
  public static func checkPatiently(
    connecting connect: () throws -> PostgreSQLConnection, report: (PostgreSQLError) -> Void, pause: () -> Void
  ) throws {
    var reported = ""
    while true {
      do { return try FleetSchema(try connect()).check() } catch let error as PostgreSQLError where error.isTemporary {
        if "\(error)" != reported { report(error) }
        reported = "\(error)"
        pause()
      }
    }
  }

  /// Applies or undoes migrations until the schema has this version, each in a transaction of its own.
  /// Returns the names of the steps.
  ///
  /// A second program waits until the first one has finished.
  ///
  /// - Parameter discards: whether steps back may discard data. If not, the call throws before the first step if there is some.
  public func migrate(to target: Int, discarding discards: Bool = false) throws -> [String] {
    guard (0...migrations.count).contains(target) else {
      throw SchemaError("there is no schema \(target); the newest one is \(migrations.count)")
    }
    try connection.run(script: "set lock_timeout = '10s'; set statement_timeout = 0; select pg_advisory_lock(4711, 1)")
    try connection.run(
      script:
        "create table if not exists schema_version(version int primary key, name text not null, applied_at timestamptz not null default now())"
    )
    var version = try version()
    guard version <= migrations.count else {
      throw SchemaError("the database has schema \(version), and this program knows \(migrations.count); use a newer program")
    }
    if !discards { try requireNoData(from: version, to: target) }
    var steps: [String] = []
    while version != target {
      let step = migrations[version < target ? version : version - 1]
      if version < target {
        try connection.run(
          script: "begin; \(step.up); insert into schema_version(version, name) values (\(version + 1), '\(step.name)'); commit")
      } else {
        try connection.run(script: "begin; \(step.down); delete from schema_version where version = \(version); commit")
      }
      steps.append(version < target ? step.name : "undo \(step.name)")
      version += version < target ? 1 : -1
    }
    try connection.run(script: "select pg_advisory_unlock(4711, 1)")
    return steps
  }

  /// Throws an error with the tables and columns of which the steps back would discard data.
  private func requireNoData(from version: Int, to target: Int) throws {
    guard version > target else { return }
    var counts: [String: Int] = [:]
    for data in migrations[target..<version].flatMap(\.discards) {
      counts[data.name] = max(counts[data.name] ?? 0, Int(try connection.run(script: data.count).first ?? "") ?? 0)
    }
    let found = counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
    guard !found.isEmpty else { return }
    try connection.run(script: "select pg_advisory_unlock(4711, 1)")
    throw SchemaError(
      "schema \(target) has no place for the rows of \(found.joined(separator: ", ")); back up the database, "
        + "and repeat the command with --discard to delete them")
  }

  /// Sets the number of queues of a new fleet, and returns the map of queues.
  /// Throws for an existing fleet with another number.
  public func queues(creating wanted: Int?) throws -> QueueMap {
    if let wanted, QueueMap(queues: wanted) == nil { throw SchemaError("a fleet has 1 to 64 queues, not \(wanted)") }
    let statements = [
      PostgreSQLStatement("insert into fleet(queues) values ($1::int2) on conflict do nothing", [.integer(wanted ?? QueueMap.usualQueues)]),
      PostgreSQLStatement("insert into queue(queue) select generate_series(0, (select queues - 1 from fleet)) on conflict do nothing"),
      PostgreSQLStatement("select queues from fleet"),
    ]
    guard let map = Int(try connection.run(statements)[2].first ?? "").flatMap(QueueMap.init) else {
      throw SchemaError("the table fleet is damaged")
    }
    if let wanted, wanted != map.queues {
      throw SchemaError("the fleet has \(map.queues) queues, which cannot be changed: messages that wait in a queue would stay there")
    }
    return map
  }

  /// Returns the map of queues of an existing fleet.
  public func queues() throws -> QueueMap {
    guard let map = Int(try connection.run(script: "select queues from fleet").first ?? "").flatMap(QueueMap.init) else {
      throw SchemaError("the fleet has no queues; run \"beaconmon-hub migrate\"")
    }
    return map
  }
}

public struct SchemaError: Error, CustomStringConvertible {
  public var description: String

  init(_ description: String) { self.description = description }
}
