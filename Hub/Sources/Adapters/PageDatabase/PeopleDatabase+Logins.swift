import FleetPage
import People
import PostgreSQL

extension PeopleDatabase {
  /// The time without a request after which a session ends, the longest session, and the time after which a use is written.
  private static let (idle, longest, written) = ("12 hours", "30 days", "10 minutes")
  /// The maximum number of sessions of a person; one more ends the one that was idle longest.
  private static let mostSessions = 16

  func account(named name: String) throws(PostgreSQLError) -> Account? {
    let rows = try connection.run(
      PostgreSQLStatement("select person_id, password from person where lower(name) = lower($1)", [.text(name)])
    ).rows
    guard let row = rows.first, let id = row[0].flatMap({ Int32($0) }) else { return nil }
    return Account(person: id, password: row[1])
  }

  /// Begins a session if the password that was verified is still that of the person.
  ///
  /// A change of the password waits for this, and then ends the session.
  func begin(session: String, of account: Account) throws(PostgreSQLError) -> Bool {
    guard let password = account.password else { return false }
    let person = account.person
    let answers = try connection.run([
      PostgreSQLStatement(
        """
        with verified as (select person_id, name from person where person_id = $2::int4 and password = $3 for share),
        noted as (insert into audit(actor, action, subject) select name, 'sign in', name from verified)
        insert into person_session(session, person_id) select decode($1, 'hex'), person_id from verified returning 1
        """, [.text(session), .integer(person), .text(password)]),
      PostgreSQLStatement(
        """
        delete from person_session where session in (
          select session from person_session where person_id = $1::int4 order by used_at desc offset $2::int8)
        """, [.integer(person), .integer(Self.mostSessions)]),
      PostgreSQLStatement(
        "delete from person_session where used_at < now() - $1::interval or begun_at < now() - $2::interval",
        [.text(Self.idle), .text(Self.longest)]),
    ])
    return answers[0].first != nil
  }

  func end(session: String) throws(PostgreSQLError) {
    try connection.run(PostgreSQLStatement("delete from person_session where session = decode($1, 'hex')", [.text(session)]))
  }

  /// Counts a use of each login, and returns the persons with their present roles.
  func persons(of logins: [Login]) throws(PostgreSQLError) -> [Login: Person] {
    var (sessions, names) = (BinaryArray(of: .text), BinaryArray(of: .text))
    for login in logins {
      switch login {
      case .session(let hash): sessions.append(hash)
      case .proxy(let name): names.append(name)
      }
    }
    let answers = try connection.run([
      PostgreSQLStatement(
        """
        update person_session set used_at = now() where session in (select decode(s, 'hex') from unnest($1::text[]) s)
        and used_at between now() - $2::interval and now() - $3::interval
        """, [.array(sessions), .text(Self.idle), .text(Self.written)]),
      PostgreSQLStatement(
        """
        with login as (
          select 'session' as kind, s as proof, x.person_id from unnest($1::text[]) s join person_session x on x.session = decode(s, 'hex')
          where x.used_at > now() - $3::interval and x.begun_at > now() - $4::interval
          union all select 'proxy', n, p.person_id from unnest($2::text[]) n join person p on lower(p.name) = lower(n))
        select l.kind, l.proof, p.person_id, p.name, p.is_administrator, s.name, s.site_id,
          case when p.is_administrator then 'owner' else r.role end
        from login l join person p using (person_id) left join person_role r on r.person_id = p.person_id and not p.is_administrator
        left join site s on s.site_id = r.site_id or p.is_administrator
        """, [.array(sessions), .array(names), .text(Self.idle), .text(Self.longest)]),
    ])
    var persons: [Login: Person] = [:]
    for row in answers[1].rows {
      guard let proof = row[1], let id = row[2].flatMap({ Int32($0) }) else { continue }
      let login = row[0] == "proxy" ? Login.proxy(proof) : .session(proof)
      var person = persons[login] ?? Person(id: id, name: row[3] ?? "", isAdministrator: row[4] == "t")
      if let name = row[5], let site = row[6].flatMap({ Int32($0) }), let role = row[7].flatMap(SiteRole.init(rawValue:)) {
        person.sites[name] = SiteMembership(site: site, role: role)
      }
      persons[login] = person
    }
    return persons
  }
}
