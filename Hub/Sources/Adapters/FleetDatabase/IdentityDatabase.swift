public import PostgreSQL
public import Retention

/// Exports and erases all that the database has about one identity.
public final class IdentityDatabase {
  let connection: PostgreSQLConnection

  public init(_ connection: PostgreSQLConnection) throws {
    self.connection = connection
    try connection.run(script: "set lock_timeout = '15s'; set time zone 'UTC'; set datestyle = 'ISO'")
    try FleetSchema(connection).check()
  }

  /// Erases an identity in one transaction, with an entry in the audit log that does not have it.
  /// Returns the number of rows by table; empty if there were none, and then nothing is noted.
  ///
  /// - Parameter hours: for this time workers leave out messages about the tag or of the device, which may still wait somewhere; 0 for none
  public func erase(_ identity: StoredIdentity, suppressingFor hours: Int, by actor: String) throws -> [(table: String, rows: Int)] {
    try connection.run(script: "begin")
    var counts: [String: Int] = [:]
    // Most digests are written again while the workers go on.
    let begun = try connection.run(script: "select now() - interval '1 minute'").first ?? ""
    if case .tag(let tag) = identity { counts["digest"] = try rewriteDigests(without: tag, since: nil) }
    // Workers forget their memory: the batch that a worker prepares now fails on its epoch. Further ones wait for the end of the erasure.
    try connection.run(script: "update queue set epoch = epoch + 1; update fleet set revision = revision + 1")
    if case .tag(let tag) = identity { counts["digest", default: 0] += try rewriteDigests(without: tag, since: begun) }
    let values = try values(of: identity)
    for rows in IdentityRows.all where rows.kind == identity.kind {
      guard let statement = rows.erasing else { continue }
      counts[rows.table, default: 0] += Int(try connection.run(PostgreSQLStatement(statement, values)).first ?? "") ?? 0
    }
    let found = counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { (table: $0.key, rows: $0.value) }
    guard !found.isEmpty else {
      try connection.run(script: "rollback")
      return []
    }
    if identity.kind != .person, hours > 0 {
      try connection.run(
        PostgreSQLStatement(
          """
          insert into suppression select fleet_suppression($1), now() + make_interval(hours => $2::int4)
          on conflict (hash) do update set until = excluded.until
          """, [.text(identity.text), .integer(hours)]))
    }
    try note("erase \(identity.kind.rawValue)", "erased", found.map { "\($0.table) \($0.rows)" }.joined(separator: ", "), by: actor)
    try connection.run(script: "commit")
    return found
  }

  func note(_ action: String, _ subject: String, _ detail: String, by actor: String) throws(PostgreSQLError) {
    try connection.run(
      PostgreSQLStatement(
        "insert into audit(actor, action, subject, detail) values ($1, $2, $3, $4)",
        [.text(actor), .text(action), .text(subject), .text(detail)]))
  }

  /// Returns the name and the keys of an identity, as the statements of `IdentityRows` need them.
  func values(of identity: StoredIdentity) throws(PostgreSQLError) -> [PostgreSQLValue] {
    let statement =
      switch identity {
      case .tag: "select beacon_id from beacon where fleet_tag(uuid, major, minor) = $1"
      case .device: "select device_id from device join site using (site_id) where site.name || '.' || device.name = $1"
      case .person: "select person_id from person where lower(name) = lower($1)"
      }
    var keys = BinaryArray(of: .int4)
    for row in try connection.run(PostgreSQLStatement(statement, [.text(identity.text)])).rows {
      if let key = row.number(0, Int32.self) { keys.append(key) }
    }
    return [.text(identity.text), .array(keys)]
  }
}
