import FleetMessages
public import PostgreSQL
public import Retention

/// Exports and erases all data about one identity.
public final class IdentityDatabase {
  let connection: PostgreSQLConnection

  public init(_ connection: PostgreSQLConnection) throws {
    self.connection = connection
    try connection.run(
      script: "set lock_timeout = '15s'; set idle_in_transaction_session_timeout = '60s'; set time zone 'UTC'; set datestyle = 'ISO'")
    try FleetSchema(connection).check()
  }

  /// Erases an identity in one transaction, with an entry in the audit log that does not contain the identity.
  /// Returns the number of rows by table; empty if there were none, and then nothing is noted.
  ///
  /// The large tables are searched while workers go on. They wait for the rest, in which each statement has a limit.
  /// Throws `ErasureError` for a device that is not revoked, and if the limit is exceeded.
  ///
  /// - Parameter hours: the time for which workers drop messages about the tag or of the device that are still on their way; 0 for none
  public func erase(_ identity: StoredIdentity, suppressingFor hours: Int, by actor: String) throws -> [(table: String, rows: Int)] {
    if case .device(let address) = identity { try requireRevoked(address) }
    let earlier = try suppress(identity, for: hours)
    // A worker that makes the present key of visits must not wait for the end of this transaction.
    try connection.run(script: "select fleet_pseudonym('')")
    let begun = try connection.run(script: "begin; select clock_timestamp() - interval '5 minutes'").first ?? ""
    var counts: [String: Int] = [:]
    // Workers hold no data of persons.
    if identity.kind != .person {
      if case .tag(let tag) = identity { counts["digest"] = try rewriteDigests(without: tag, since: nil) }
      try erase(identity, from: IdentityRows.all.filter { $0.newest != nil }, counting: &counts)
      // All queues are locked in the order of a batch. Then workers forget their memory: the batch that a worker prepares now fails on its
      // epoch.
      try connection.run(script: "select from queue order by queue for update")
      try connection.run(
        script: """
          set local statement_timeout = '\(Self.limit)s';
          update queue set epoch = epoch + 1;
          update fleet set revision = revision + 1
          """)
    }
    do {
      if case .tag(let tag) = identity { counts["digest", default: 0] += try rewriteDigests(without: tag, since: begun) }
      try erase(identity, from: IdentityRows.all, since: begun, counting: &counts)
    } catch let error as PostgreSQLError where error.code == "57014" {
      throw ErasureError(
        "the erasure changed nothing: a statement took longer than the \(Self.limit) s for which workers may wait; run it again at a quieter time"
      )
    }
    let found = counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { (table: $0.key, rows: $0.value) }
    guard !found.isEmpty else {
      try connection.run(script: "rollback")
      if identity.kind != .person, hours > 0 { try restore(earlier, of: identity) }
      return []
    }
    try note("erase \(identity.kind.rawValue)", "erased", found.map { "\($0.table) \($0.rows)" }.joined(separator: ", "), by: actor)
    try connection.run(script: "commit")
    return found
  }

  /// The longest time of a statement for which workers wait, in seconds.
  private static let limit = 10

  /// Erases the rows of an identity that `list` has.
  ///
  /// - Parameter since: the earliest time of the rows to erase in tables that take long to search; nil erases all rows
  private func erase(
    _ identity: StoredIdentity, from list: [IdentityRows], since: String? = nil, counting counts: inout [String: Int]
  ) throws(PostgreSQLError) {
    let values = try values(of: identity)
    for rows in list where rows.kind == identity.kind {
      let isNewest = since != nil && rows.newest != nil
      guard let statement = rows.erasing(isNewest: isNewest) else { continue }
      let time = isNewest ? since.map { [PostgreSQLValue.text($0)] } ?? [] : []
      counts[rows.table, default: 0] += Int(try connection.run(PostgreSQLStatement(statement, values + time)).first ?? "") ?? 0
    }
  }

  private func requireRevoked(_ address: FleetAddress) throws {
    let rows = try connection.run(
      PostgreSQLStatement(
        "select 1 from device join site using (site_id) where site.name = $1 and device.name = $2 and revoked_at is null",
        [.text(address.site), .text(address.device)]))
    guard rows.rows.isEmpty else {
      throw ErasureError(
        "the device \(address.commonName) is not revoked, and could not be revoked any more; run \"beaconmon-hub admin revoke \(address.commonName)\" first"
      )
    }
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

/// The reason why an identity is not erased, and what to do.
public struct ErasureError: Error, CustomStringConvertible {
  public var description: String

  init(_ description: String) { self.description = description }
}
