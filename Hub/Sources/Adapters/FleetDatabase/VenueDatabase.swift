import PostgreSQL

/// The venues of sites, which the page draws. A site has at most one.
public struct VenueDatabase {
  /// A stored venue.
  public struct Entry: Hashable, Sendable {
    /// The id of the venue.
    public var venue: String
    /// The levels, the lowest first, each as a JSON object.
    public var levels: [String]
    /// The time in UTC, to the minute.
    public var time: String
  }

  private let connection: PostgreSQLConnection

  public init(_ connection: PostgreSQLConnection) throws {
    self.connection = connection
    try FleetSchema(connection).check()
  }

  /// Stores the venue of a site in place of an earlier one, with an entry in the audit log.
  ///
  /// Returns false if there is no such site.
  ///
  /// - Parameters:
  ///   - venue: The id of the venue.
  ///   - levels: The levels for the page as a JSON array.
  public func store(_ venue: String, levels: String, at site: String, by actor: String) throws -> Bool {
    try connection.run(
      PostgreSQLStatement(
        """
        with stored as (
          insert into site_venue(site_id, venue, levels) select site_id, $3, $4::json from site where name = $2
          on conflict (site_id) do update set venue = excluded.venue, levels = excluded.levels, stored_at = now() returning site_id)
        insert into audit(actor, action, site_id, subject, detail) select $1, 'store venue', site_id, $2, $3 from stored returning 1
        """, [.text(actor), .text(site), .text(venue), .text(levels)])
    ).first != nil
  }

  /// Deletes the venue of a site, with an entry in the audit log. Returns false if it has none.
  public func remove(from site: String, by actor: String) throws -> Bool {
    try connection.run(
      PostgreSQLStatement(
        """
        with gone as (delete from site_venue v using site s where s.site_id = v.site_id and s.name = $2 returning s.site_id, v.venue)
        insert into audit(actor, action, site_id, subject, detail) select $1, 'remove venue', site_id, $2, venue from gone returning 1
        """, [.text(actor), .text(site)])
    ).first != nil
  }

  /// Returns whether there is such a site.
  public func has(site: String) throws -> Bool {
    try connection.run(PostgreSQLStatement("select 1 from site where name = $1", [.text(site)])).first != nil
  }

  /// Returns the venue of a site; nil if it has none.
  public func venue(of site: String) throws -> Entry? {
    let rows = try connection.run(
      PostgreSQLStatement(
        """
        select v.venue, to_char(v.stored_at at time zone 'utc', 'YYYY-MM-DD HH24:MI'), l.level
        from site_venue v join site s using (site_id) left join json_array_elements(v.levels) with ordinality as l(level, number) on true
        where s.name = $1 order by l.number
        """, [.text(site)])
    ).rows
    return rows.first.map { Entry(venue: $0[0] ?? "", levels: rows.compactMap { $0[2] }, time: $0[1] ?? "") }
  }

  /// Returns the rooms of the devices of a site.
  public func rooms(of site: String) throws -> [String] {
    let rows = try connection.run(
      PostgreSQLStatement(
        """
        select distinct d.room from device d join site s using (site_id)
        where s.name = $1 and d.room is not null and d.revoked_at is null order by 1
        """, [.text(site)])
    ).rows
    return rows.compactMap { $0[0] }
  }
}
