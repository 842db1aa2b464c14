import Beacons
import FleetMessages
import PostgreSQL
import Records
import Retention

extension IdentityDatabase {
  /// The number of rows that are read at a time.
  private static let chunk = 500

  /// Passes all data about an identity to `write` as one JSON object, and notes the export in the audit log.
  /// Returns the number of rows, which are from one snapshot of the database, and how many of them are entries of its exports.
  public func export(
    _ identity: StoredIdentity, by actor: String, to write: (String) throws -> Void
  ) throws -> (rows: Int, exports: Int) {
    let action = "export \(identity.kind.rawValue)"
    // The entry comes first and stays, so that no export is without one.
    try note(action, identity.text, "", by: actor)
    // The present key of visits must exist before the snapshot that all rows are from.
    try connection.run(script: "select fleet_pseudonym('')")
    try connection.run(script: "begin isolation level repeatable read")
    let values = try values(of: identity)
    try write("{\"kind\":\"\(identity.kind.rawValue)\",\"identity\":\(identity.text.asJSON),\"tables\":{")
    var count = 0
    let tables = IdentityRows.all.filter { $0.kind == identity.kind }.reduce(into: [String]()) {
      if !$0.contains($1.table) { $0.append($1.table) }
    }
    for (number, table) in tables.enumerated() {
      try write((number > 0 ? ",\n" : "\n") + "\"\(table)\":[")
      var isFirst = true
      func put(_ json: String) throws {
        try write((isFirst ? "\n" : ",\n") + json)
        (isFirst, count) = (false, count + 1)
      }
      if case .tag(let tag) = identity, table == "digest" {
        try forEachDigest(with: tag, since: nil) { digests in
          for digest in digests { try put(digest.json(of: tag)) }
        }
      } else {
        try read(IdentityRows.exporting(table, of: identity.kind), values, put)
      }
      try write("]")
    }
    try write("}}\n")
    let exports = try connection.run(
      PostgreSQLStatement(
        "select count(*) from audit where action = $1 and lower(subject) = lower($2)", [.text(action), .text(identity.text)]))
    try connection.run(script: "commit")
    return (count, exports.first.flatMap { Int($0) } ?? 0)
  }

  private func read(_ statement: String, _ values: [PostgreSQLValue], _ put: (String) throws -> Void) throws {
    try connection.run(PostgreSQLStatement("declare rows no scroll cursor for \(statement)", values))
    while true {
      let rows = try connection.run(script: "fetch \(Self.chunk) from rows").rows
      for row in rows { try put(row[0] ?? "null") }
      if rows.count < Self.chunk { break }
    }
    try connection.run(script: "close rows")
  }
}

extension IdentityRows {
  /// Returns the statement that returns the rows of a table as JSON objects, each once.
  fileprivate static func exporting(_ table: String, of kind: StoredIdentity.Kind) -> String {
    let condition = all.filter { $0.kind == kind && $0.table == table }.map { "(\($0.condition))" }.joined(separator: " or ")
    let shown =
      switch table {
      case "person": "to_jsonb(t) - 'password'"
      case "person_session": "to_jsonb(t) - 'session'"
      case "device_message":
        """
        to_jsonb(t) || case when kind = 2 and substring(payload for 1) = '{'
          then jsonb_build_object('payload', convert_from(payload, 'UTF8')::jsonb) else '{}' end
        """
      default: "to_jsonb(t)"
      }
    return "\(prefix) select \(shown) from \(table) t where \(condition)"
  }
}

extension IdentityDatabase.FoundDigest {
  /// Returns the sighting of a tag in the digest.
  fileprivate func json(of tag: BeaconIdentity) -> String {
    var record = Record(["device": .text(device), "receivedAt": .text(received), "deviceTime": .integer(message.time)])
    if case .digest(let sightings) = message.body, let sighting = sightings.first(where: { $0.beacon == tag }) {
      record.append("level", .integer(Int64(sighting.level)))
      record.append("distance", sighting.distance.map { .integer(Int64($0)) })
      record.append("rate", .integer(Int64(sighting.rate)))
      record.append("age", .integer(Int64(sighting.age)))
    }
    return record.json
  }
}
