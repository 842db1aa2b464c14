public import FleetPage
public import FleetQueries
public import People
public import PostgreSQL

/// The people of a fleet and their roles. Each change is noted in the audit log by the same statement.
public struct PeopleDatabase {
  let connection: PostgreSQLConnection

  public init(_ connection: PostgreSQLConnection) { self.connection = connection }

  public struct Entry: Hashable, Sendable {
    public var name: String
    public var isAdministrator: Bool
    /// Whether the person has a password, and need not come through a proxy.
    public var hasPassword: Bool
    /// The roles, such as `berlin: owner`.
    public var roles: String
  }

  /// Adds a person; false if there is one of that name.
  public func add(_ name: String, password: String?, isAdministrator: Bool, by actor: String) throws(PostgreSQLError) -> Bool {
    try change(
      """
      with added as (insert into person(name, password, is_administrator) values ($2, $3, $4::bool) on conflict do nothing returning name)
      insert into audit(actor, action, subject, detail)
      select $1, 'add person', name, case when $4::bool then 'administrator' else '' end from added returning 1
      """, actor, [.text(name), password.map { .text($0) } ?? .null, .text(isAdministrator ? "true" : "false")])
  }

  /// Removes a person with all roles and sessions; false if there is none.
  public func remove(_ name: String, by actor: String) throws(PostgreSQLError) -> Bool {
    try change(
      """
      with gone as (delete from person where lower(name) = lower($2) returning name)
      insert into audit(actor, action, subject) select $1, 'remove person', name from gone returning 1
      """, actor, [.text(name)])
  }

  /// Sets a password, or removes it with nil, and ends the sessions of the person; false if there is no such person.
  public func set(password: String?, of name: String, by actor: String) throws(PostgreSQLError) -> Bool {
    let answers = try connection.run([
      PostgreSQLStatement(
        """
        with changed as (update person set password = $3 where lower(name) = lower($2) returning name)
        insert into audit(actor, action, subject) select $1, case when $3::text is null then 'remove password' else 'set password' end, name
        from changed returning 1
        """, [.text(actor), .text(name), password.map { .text($0) } ?? .null]),
      // A statement of its own sees the sessions that began while the first one waited for the row.
      PostgreSQLStatement(
        "delete from person_session where person_id in (select person_id from person where lower(name) = lower($1))", [.text(name)]),
    ])
    return answers[0].first != nil
  }

  /// Gives a person a role at a site, or revokes it with nil. A role that the person already has or lacks changes nothing.
  public func grant(_ role: SiteRole?, to person: String, site: Int32, by actor: ChangeActor) throws(PostgreSQLError) -> ChangeOutcome {
    let rows = try connection.run(
      PostgreSQLStatement(
        """
        with \(ChangeActor.check(.owner, person: "$5", site: "$3")),
          found as (select person_id, name, is_administrator from person where lower(name) = lower($2)),
          target as (select person_id, name from found where not is_administrator and exists (select from actor)),
          granted as (
            insert into person_role(person_id, site_id, role) select person_id, $3::int4, $4 from target where $4::text is not null
            on conflict (person_id, site_id) do update set role = excluded.role, granted_at = now() where person_role.role <> excluded.role
            returning role),
          revoked as (
            delete from person_role using target
            where $4::text is null and person_role.person_id = target.person_id and site_id = $3::int4 returning role),
          noted as (
            insert into audit(actor, action, site_id, subject, detail)
            select $1, 'grant', $3::int4, target.name, role from target, granted
            union all select $1, 'revoke', $3::int4, target.name, role from target, revoked)
        select exists (select from actor), (select is_administrator from found)
        """, [.text(actor.name), .text(person), .integer(site), role.map { .text($0.rawValue) } ?? .null, actor.person]))
    guard rows.first == "t" else { return .denied }
    switch rows.rows[0][1] {
    case nil: return .notFound
    case "t": return .administrator
    default: return .done
    }
  }

  /// Gives a site a title and a place on the map; false if there is no such site.
  public func describe(site: String, _ description: SiteDescription, by actor: String) throws(PostgreSQLError) -> Bool {
    let place = description.place
    return try change(
      """
      with changed as (
        update site set title = coalesce($3, title), latitude = coalesce($4::float8, latitude), longitude = coalesce($5::float8, longitude)
        where name = $2 returning site_id, name)
      insert into audit(actor, action, site_id, subject, detail)
      select $1, 'describe site', site_id, name, concat_ws(' ', $3, $4, $5) from changed returning 1
      """, actor,
      [
        .text(site), description.title.map { .text($0) } ?? .null, place.map { .text("\($0.latitude)") } ?? .null,
        place.map { .text("\($0.longitude)") } ?? .null,
      ])
  }

  /// Returns the key of a site; nil if there is none.
  public func site(named name: String) throws(PostgreSQLError) -> Int32? {
    try connection.run(PostgreSQLStatement("select site_id from site where name = $1", [.text(name)])).first.flatMap { Int32($0) }
  }

  public func people() throws(PostgreSQLError) -> [Entry] {
    let rows = try connection.run(
      PostgreSQLStatement(
        """
        select p.name, p.is_administrator, p.password is not null, coalesce(string_agg(s.name || ': ' || r.role, ', ' order by s.name), '')
        from person p left join person_role r using (person_id) left join site s using (site_id) group by p.person_id order by lower(p.name)
        """))
    return rows.rows.map { Entry(name: $0[0] ?? "", isAdministrator: $0[1] == "t", hasPassword: $0[2] == "t", roles: $0[3] ?? "") }
  }

  /// Returns the last entries of the audit log, the newest first, as lines.
  ///
  /// - Parameter site: nil for those of all sites and of none
  public func audit(last count: Int, site: String?) throws(PostgreSQLError) -> [String] {
    let rows = try connection.run(
      PostgreSQLStatement(
        """
        select concat_ws('  ', to_char(made_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), actor, action, subject, nullif(detail, ''), s.name)
        from audit left join site s using (site_id) where $2::text is null or s.name = $2 order by audit_id desc limit $1::int8
        """, [.integer(count), site.map { .text($0) } ?? .null]))
    return rows.rows.compactMap { $0[0] }
  }

  private func change(_ statement: String, _ actor: String, _ values: [PostgreSQLValue]) throws(PostgreSQLError) -> Bool {
    try connection.run(PostgreSQLStatement(statement, [.text(actor)] + values)).first != nil
  }
}
