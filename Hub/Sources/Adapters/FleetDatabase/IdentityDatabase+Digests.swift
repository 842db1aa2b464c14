import Beacons
import FleetMessages
import PostgreSQL
import Retention

extension IdentityDatabase {
  /// The number of digests that are read at a time.
  private static let chunk = 1000

  /// A digest with the UUID of a tag.
  struct FoundDigest {
    var device: String
    var received: String
    /// The columns that identify the row: device, journal, sequence and the time of receipt.
    var key: [String]
    var message: FleetMessage
  }

  /// Calls `body` with the digests that have a tag, in chunks.
  ///
  /// A cursor sees the rows as they were when it was opened, whatever `body` changes.
  ///
  /// - Parameter since: the earliest time of receipt to read; nil reads all digests
  func forEachDigest(with tag: BeaconIdentity, since: String?, _ body: ([FoundDigest]) throws -> Void) throws {
    try connection.run(
      PostgreSQLStatement(
        """
        declare digests no scroll cursor for
          select d.device_id, d.journal, d.sequence, d.received_at, coalesce(s.name || '.' || v.name, ''), d.body
          from digest d left join device v using (device_id) left join site s using (site_id)
          where position(uuid_send(\(Self.quoted(tag.uuid))) in d.body) > 0 \(since.map { "and d.received_at >= '\($0)'" } ?? "")
        """))
    while true {
      let rows = try connection.run(script: "fetch \(Self.chunk) from digests").rows
      try body(
        rows.compactMap { row in
          // A digest that cannot be read was stored by a later version.
          guard let octets = row.octets(5), let message = try? FleetMessage(octets), case .digest(let sightings) = message.body,
            sightings.contains(where: { $0.beacon == tag })
          else { return nil }
          return FoundDigest(device: row[4] ?? "", received: row[3] ?? "", key: row[0...3].map { $0 ?? "" }, message: message)
        })
      if rows.count < Self.chunk { break }
    }
    try connection.run(script: "close digests")
  }

  private static func quoted(_ uuid: BeaconUUID) -> String { "'\(uuid)'::uuid" }

  /// Writes the digests with a tag again without it, and returns their number.
  func rewriteDigests(without tag: BeaconIdentity, since: String?) throws -> Int {
    var count = 0
    try forEachDigest(with: tag, since: since) { digests in
      guard !digests.isEmpty else { return }
      count += digests.count
      var bodies = BinaryArray(of: .bytea)
      var keys = [BinaryArray](repeating: BinaryArray(of: .text), count: 4)
      for digest in digests {
        bodies.append(digest.message.without { $0 == tag }.octets)
        for column in 0..<4 { keys[column].append(digest.key[column]) }
      }
      try connection.run(
        PostgreSQLStatement(
          """
          update digest d set body = u.b
          from (select i::int4, j::uuid, s::int8, t::timestamptz, b from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bytea[])
            as g(i, j, s, t, b)) u
          where d.device_id = u.i and d.received_at = u.t and d.journal = u.j and d.sequence = u.s
          """, keys.map { .array($0) } + [.array(bodies)]))
    }
    return count
  }
}
