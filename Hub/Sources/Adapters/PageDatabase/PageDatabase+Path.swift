import Beacons
import FleetPage
import FleetQueries
import Numerals
import People
import PostgreSQL

extension FleetQuery {
  /// The maximum number of digests of an answer: one a second of five devices. Older ones are left out.
  private static let mostDigests = 20_000

  /// Reads the rows of an answer.
  ///
  /// - Parameter person: the reader, whom the audit log notes for a history
  func rows(_ connection: PostgreSQLConnection, for person: Person) throws(PostgreSQLError) -> [ArchiveRow] {
    let answer = try connection.run([note(by: person), statement].compactMap { $0 }).last ?? PostgreSQLRows()
    guard case .path(_, let tag, _) = self else { return answer.rows.map { ArchiveRow(key: $0[0] ?? "", json: $0[1] ?? "{}") } }
    var path = TagPath(of: tag)
    path.isTruncated = answer.rows.count == Self.mostDigests
    for row in answer.rows {
      if let end = row[1].flatMap({ Int64($0) }), let octets = row.octets(2) { path.add(octets, of: row[0] ?? "", end: end) }
    }
    return path.rows.map { ArchiveRow(key: "", json: $0) }
  }

  /// The statement for the newest digests of an hour that have a tag: device, end in milliseconds, octets.
  ///
  /// A digest that came late has the time of the device; `DeviceClock` has the same rule.
  static func path(_ site: Int32, _ tag: BeaconIdentity, _ from: Int64?) -> PostgreSQLStatement {
    let pattern = Hexadecimal.digits(of: TagPath(of: tag).pattern)
    let begin = from == nil ? "now() - interval '1 hour'" : "fleet_time($3::int8)"
    return PostgreSQLStatement(
      """
      select d.name, (extract(epoch from case when g.device_time >= g.received_at - interval '7 days'
        and g.device_time < g.received_at - interval '5 seconds' then g.device_time else g.received_at end) * 1000)::int8, g.body
      from device d join digest g using (device_id)
      where d.site_id = $1::int4 and position(decode($2, 'hex') in g.body) > 0
        and g.received_at >= \(begin) and g.received_at < \(begin) + interval '1 hour'
      order by g.received_at desc limit \(mostDigests)
      """, [.integer(site), .text(pattern)] + (from.map { [.integer($0)] } ?? []))
  }

  /// The statement for the visits to the rooms of a site, by day in UTC.
  static func visits(_ site: Int32, _ limit: Int) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      select '', json_build_object('day', to_char(day, 'YYYY-MM-DD'), 'room', room, 'visits', visits, 'visitors', visitors,
        'median', median, 'mean', round(mean))
      from (
        select date_trunc('day', begun_at) as day, room, count(*) as visits, count(distinct pseudonym) as visitors,
          percentile_disc(0.5) within group (order by seconds) as median, avg(seconds) as mean
        from visit where site_id = $1::int4 and begun_at > now() - interval '31 days' and written_at > now() - interval '31 days'
        group by 1, 2) v
      order by day desc, room limit $2::int8
      """, [.integer(site), .integer(limit)])
  }
}
