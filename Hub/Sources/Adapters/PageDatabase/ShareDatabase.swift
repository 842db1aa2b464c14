import Beacons
import FleetMessages
import FleetPage
import FleetQueries
import People
import PostgreSQL

/// The shares that people offer, answer and end in the page.
struct ShareDatabase {
  let connection: PostgreSQLConnection

  init(_ connection: PostgreSQLConnection) { self.connection = connection }

  /// Makes a person with a role at the site the owner of a tag; nil removes the owner. The shares of the previous owner end.
  func give(_ tag: BeaconIdentity, at site: Int32, to owner: String?, by person: Person) throws(PostgreSQLError) -> ChangeOutcome {
    let rows = try change(
      site,
      """
      with \(ChangeActor.check(.owner, person: "$8", site: "$2")),
        target as (
          select beacon_id from beacon where exists (select from actor)
            and site_id = $2::int4 and uuid = $3::uuid and major = $4::int4 and minor = $5::int4),
        member_to_be as (
          select p.person_id from person p left join person_role m on m.person_id = p.person_id and m.site_id = $2::int4
          where lower(p.name) = lower($6) and (p.is_administrator or m.role is not null)),
        ended as (
          select fleet_end_share(share_id, $1, 'the tag has another owner') from share join target using (beacon_id)),
        given as (
          insert into beacon_owner(beacon_id, person_id) select t.beacon_id, p.person_id from target t, member_to_be p
          on conflict (beacon_id) do update set person_id = excluded.person_id returning 1),
        taken as (delete from beacon_owner using target where $7::bool and beacon_owner.beacon_id = target.beacon_id returning 1),
        noted as (
          insert into audit(actor, action, site_id, subject, detail)
          select $1, 'own tag', $2::int4, concat_ws('/', $3, $4, $5), $6 from target where $7::bool or exists (select from member_to_be))
      select exists (select from actor), exists (select from target) and ($7::bool or exists (select from member_to_be)), (select count(*) from ended)
      """,
      [.text(person.name), .integer(site)] + tag.values + [.text(owner ?? ""), .text(owner == nil ? "t" : "f"), .integer(person.id)])
    guard rows.first == "t" else { return .denied }
    return rows.rows[0][1] == "t" ? .done : .notFound
  }

  /// Offers the room of a tag that the person owns.
  func share(_ tag: BeaconIdentity, at site: Int32, _ share: TagShare, by person: Person) throws(PostgreSQLError) -> ChangeOutcome {
    let rows = try change(
      site,
      """
      with \(ChangeActor.check(.viewer, person: "$8", site: "$2")),
        target as (
          select beacon_id from beacon join beacon_owner o using (beacon_id) where o.person_id = $8::int4 and exists (select from actor)
            and site_id = $2::int4 and uuid = $3::uuid and major = $4::int4 and minor = $5::int4)
      select exists (select from actor), exists (select from target), (
        select fleet_begin_share(gen_random_uuid(), $2::int4, null, beacon_id, $8::int4, $1, $6, make_interval(secs => $9::int8), string_to_array($7, ' '))
        from target)
      """,
      [.text(person.name), .integer(site)] + tag.values + [
        .text(share.purpose), .text(share.recipients.map(\.description).joined(separator: " ")), .integer(person.id),
        .integer(share.seconds),
      ])
    guard rows.first == "t" else { return .denied }
    guard rows.rows[0][1] == "t" else { return .notFound }
    return rows.rows[0][2] == "t" ? .done : .tooMany
  }

  /// Accepts or declines an offer, if it names the person or a role that the person has.
  func answer(_ id: ShareID, at site: Int32, isAccepted: Bool, by person: Person) throws(PostgreSQLError) -> ChangeOutcome {
    let rows = try change(
      site,
      """
      with \(ChangeActor.check(.viewer, person: "$3", site: "$2"))
      select exists (select from actor), (select fleet_answer_share(share_id, $3::int4, null, $1, $5::bool) from share
        where share_id = $4::uuid and site_id = $2::int4 and exists (select from actor))
      """, [.text(person.name), .integer(site), .integer(person.id), .text("\(id)"), .text(isAccepted ? "t" : "f")])
    guard rows.first == "t" else { return .denied }
    return rows.rows[0][1] == "t" ? .done : .notFound
  }

  /// Ends a share of a tag of the person.
  func end(_ id: ShareID, at site: Int32, by person: Person) throws(PostgreSQLError) -> ChangeOutcome {
    let rows = try change(
      site,
      "select fleet_end_share(share_id, $1, 'by the owner') from share where share_id = $3::uuid and site_id = $2::int4 and person_id = $4::int4",
      [.text(person.name), .integer(site), .text("\(id)"), .integer(person.id)])
    return rows.rows.isEmpty ? .notFound : .done
  }

  /// Returns a digest for each person who may see shares. It changes whenever something changes that the person may see.
  func digests(of people: [Int32]) throws(PostgreSQLError) -> [Int32: String] {
    let statement = PostgreSQLStatement(
      """
      select u.person_id, md5(string_agg(concat_ws('/', s.share_id, r.person_id, s.position_at, b.room, (
        select string_agg(concat_ws(':', a.person_id, a.device_id, a.accepted), ' ' order by a.answered_at) from share_answer a
        where a.share_id = s.share_id)), ' ' order by s.share_id))
      from (select share_id, person_id from share_audience union select share_id, person_id from share) u join share s using (share_id)
      left join share_reader r on r.share_id = s.share_id and r.person_id = u.person_id left join beacon b on b.beacon_id = s.beacon_id
      where u.person_id = any($1::int4[]) and s.ends_at > now() group by 1
      """, [.keys(people)])
    return Dictionary(
      try connection.run(statement).rows.compactMap { row in row[0].flatMap { Int32($0) }.map { ($0, row[1] ?? "") } },
      uniquingKeysWith: { $1 })
  }

  /// Runs a statement that changes shares of a site, after the lock that workers take too.
  private func change(_ site: Int32, _ statement: String, _ values: [PostgreSQLValue]) throws(PostgreSQLError) -> PostgreSQLRows {
    try connection.run([
      PostgreSQLStatement("select fleet_lock_shares(array[$1::int4])", [.integer(site)]), PostgreSQLStatement(statement, values),
    ])[1]
  }
}

extension FleetQuery {
  /// The shares that a person may see. The place is there only for one that the person has accepted, and while it lasts.
  static func shares(_ sites: [Int32], _ person: Int32) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      with mine as materialized (
        select s as share, s.person_id is not distinct from $2::int4 as is_own, exists (
          select from share_reader r where r.share_id = s.share_id and r.person_id = $2::int4) as is_reader
        from share s where s.site_id = any($1::int4[]) and s.ends_at > now() and (s.person_id = $2::int4 or exists (
          select from share_audience u left join share_answer a on a.share_id = u.share_id and a.person_id = $2::int4
          where u.share_id = s.share_id and u.person_id = $2::int4 and a.accepted is distinct from false))),
      noted as materialized (select fleet_note_readers((select coalesce(array_agg((share).share_id), '{}') from mine where is_reader), array[$2::int4]))
      select (share).share_id, json_build_object('id', (share).share_id, 'site', t.name, 'siteTitle', t.title, 'owner', fleet_share_owner(share),
        'tag', fleet_share_tag_name(share), 'purpose', (share).purpose, 'begins', (share).begun_at, 'ends', (share).ends_at,
        'state', case when is_own then 'own' when is_reader then 'accepted' else 'offered' end,
        'recipients', case when is_own then fleet_share_states(share) end,
        'place', case when is_own or is_reader then fleet_share_place(share) end)
      from mine join site t on t.site_id = (share).site_id cross join noted order by (share).begun_at, 1 limit 200
      """, [.keys(sites), .integer(person)])
  }

  static func shareLog(_ site: Int32, _ range: RowRange<Int64>) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      select log_id, json_build_object('time', made_at, 'share', share_id, 'actor', actor, 'action', action, 'detail', detail)
      from share_log where site_id = $1::int4 and log_id < $2::int8 order by log_id desc limit $3::int8
      """, [.integer(site), .integer(range.beyond ?? .max), .integer(range.limit)])
  }
}
