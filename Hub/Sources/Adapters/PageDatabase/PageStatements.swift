import Beacons
import FleetPage
import FleetQueries
import People
import PostgreSQL

/// The statements of queries. The columns of each answer are the key of the row and the row as a JSON object.
extension FleetQuery {
  var statement: PostgreSQLStatement {
    switch self {
    case .sites(let sites): Self.sites(sites)
    case .devices(let site, let range): Self.devices(site, range)
    case .tags(let site, let room, let range):
      Self.tags(
        "b.site_id = $1::int4 and b.beacon_id > $2::int4 and ($3::text is null or b.room = $3) order by b.beacon_id",
        [.integer(site), .integer(range.beyond ?? 0), room.map { .text($0) } ?? .null], range.limit)
    case .rooms(let site, let range): Self.rooms(site, range)
    case .plan(let site, let range):
      PostgreSQLStatement(
        """
        select number, level from site_venue cross join json_array_elements(levels) with ordinality as l(level, number)
        where site_id = $1::int4 and number > $2::int8 order by number limit $3::int8
        """, [.integer(site), .integer(range.beyond ?? 0), .integer(range.limit)])
    case .tag(let site, let tag):
      Self.tags(
        "b.site_id = $1::int4 and b.uuid = $2::uuid and b.major = $3::int4 and b.minor = $4::int4", [.integer(site)] + tag.values, 1)
    case .search(let search, let sites, let limit): Self.search(search, sites, limit)
    case .moves(let site, let tag, let range): Self.moves(site, tag, range)
    case .path(let site, let tag, let from): Self.path(site, tag, from)
    case .visits(let site, let limit): Self.visits(site, limit)
    case .events(let site, let range): Self.events(site, range)
    case .people(let site, let range):
      PostgreSQLStatement(
        """
        select lower(p.name), json_build_object('person', p.name, 'isAdministrator', p.is_administrator,
          'role', case when p.is_administrator then 'owner' else r.role end,
          'since', case when p.is_administrator then p.added_at else r.granted_at end)
        from person p left join person_role r on r.person_id = p.person_id and r.site_id = $1::int4
        where (p.is_administrator or r.role is not null) and lower(p.name) > $2 order by 1 limit $3::int8
        """, [.integer(site), .text(range.beyond ?? ""), .integer(range.limit)])
    case .audit(let site, let range):
      PostgreSQLStatement(
        """
        select audit_id, json_build_object('time', made_at, 'actor', actor, 'action', action, 'subject', subject, 'detail', detail)
        from audit where site_id = $1::int4 and audit_id < $2::int8 order by audit_id desc limit $3::int8
        """, [.integer(site), .integer(range.beyond ?? .max), .integer(range.limit)])
    case .shares(let sites, let person): Self.shares(sites, person)
    case .shareLog(let site, let range): Self.shareLog(site, range)
    }
  }

  /// The statement that notes that a person reads the history of a tag; nil for other queries.
  func note(by person: Person) -> PostgreSQLStatement? {
    guard let (site, tag) = history else { return nil }
    return PostgreSQLStatement(
      """
      with asked as (select fleet_tag($3::uuid, $4::int4, $5::int4) as tag),
      read as (select case when fleet_is_suppressed(tag) then 'erased' else tag end as tag from asked)
      insert into audit(actor, action, site_id, subject)
      select $1, 'read history', site_id, tag from site cross join read r
      where site_id = $2::int4 and not exists (
        select from audit a where a.subject = r.tag and a.made_at > now() - interval '1 hour' and a.actor = $1
          and a.site_id = site.site_id and a.action = 'read history')
      """, [.text(person.name), .integer(site)] + tag.values)
  }

  private static func sites(_ sites: [Int32]) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      select s.name, json_build_object('site', s.name, 'title', s.title, 'latitude', s.latitude, 'longitude', s.longitude,
        'devices', count(d.device_id) filter (where d.state <> 'revoked'), 'silent', count(*) filter (where d.is_silent),
        'problems', count(*) filter (where d.state = 'problem'), 'lastMessage', max(d.received_at),
        'plan', (select stored_at from site_venue v where v.site_id = s.site_id),
        'alerts', (
          select coalesce(json_agg(json_build_object(
            'number', a.alert_id, 'kind', a.kind, 'device', a.device, 'text', a.text, 'opened', a.opened_at) order by a.alert_id), '[]')
          from (select * from alert where ended_at is null and alert.site = s.name order by alert_id limit 20) a),
        'outages', (
          select coalesce(json_agg(json_build_object('part', part, 'cause', cause, 'began', began_at) order by part), '[]')
          from outage_overview where ended_at is null))
      from site s left join device_overview d using (site_id) where s.site_id = any($1::int4[]) group by s.site_id order by s.name
      """, [.keys(sites)])
  }

  private static func devices(_ site: Int32, _ range: RowRange<String>) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      select name, json_build_object('device', name, 'room', room, 'floor', floor, 'state', state, 'enrolled', enrolled_at, 'revoked', revoked_at, 'lastMessage', received_at,
        'lag', round(extract(epoch from lag), 1), 'version', version, 'revision', revision,
        'configuration', (select encode(configuration, 'hex') from device_report r where r.device_id = device_overview.device_id), 'freeSpace', free_space,
        'droppedDigests', dropped_digests, 'isClockSynchronised', clock_synchronised, 'problems', coalesce(problems, '{}'), 'findings', findings,
        'missing', missing, 'lost', lost, 'rollout', case when rollout_revision is not null then
          json_build_object('revision', rollout_revision, 'state', rollout_state, 'text', rollout_text) end)
      from device_overview where site_id = $1::int4 and name > $2 order by name limit $3::int8
      """, [.integer(site), .text(range.beyond ?? ""), .integer(range.limit)])
  }

  private static func rooms(_ site: Int32, _ range: RowRange<String>) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      with placed as (
        select room, json_agg(json_build_object('device', name, 'floor', floor, 'state', state) order by name) as devices
        from device_overview where site_id = $1::int4 and room is not null and revoked_at is null group by room),
      present as (select room, count(*) as tags from beacon where site_id = $1::int4 and room is not null group by room)
      select room, json_build_object('room', room, 'devices', coalesce(devices, '[]'), 'tags', coalesce(tags, 0))
      from placed full join present using (room) where room > $2 order by room limit $3::int8
      """, [.integer(site), .text(range.beyond ?? ""), .integer(range.limit)])
  }

  private static func tags(_ condition: String, _ values: [PostgreSQLValue], _ limit: Int) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      select b.beacon_id, json_build_object('site', s.name, 'siteTitle', s.title, 'uuid', b.uuid, 'major', b.major, 'minor', b.minor,
        'name', n.name, 'room', b.room, 'roomSince', to_timestamp(b.room_since / 1000.0), 'device', d.name, 'level', case when b.sightings > 0 then b.level end,
        'lastSeen', case when b.sightings > 0 then to_timestamp(b.last_seen / 1000.0) end, 'sightings', b.sightings)
      from beacon b join site s using (site_id) left join beacon_name n using (beacon_id)
      left join device d on d.device_id = b.device_id and d.site_id = b.site_id where \(condition) limit $\(values.count + 1)::int8
      """, values + [.integer(limit)])
  }

  /// The statement of a search. Its rows have no key, because a person who gets too many writes a longer text.
  private static func search(_ search: BeaconSearch, _ sites: [Int32], _ limit: Int) -> PostgreSQLStatement {
    let named = "b.beacon_id in (select beacon_id from beacon_name where starts_with(lower(name) collate \"C\", $2))"
    let (condition, values): (String, [PostgreSQLValue]) =
      switch search {
      case .uuid(let first, let last): ("b.uuid between $2::uuid and $3::uuid", [.text("\(first)"), .text("\(last)")])
      case .identity(let tag): ("b.uuid = $2::uuid and b.major = $3::int4 and b.minor = $4::int4", tag.values)
      case .pair(let major, let minor): ("b.major = $2::int4 and b.minor = $3::int4", [.integer(major), .integer(minor)])
      case .number(let number, let text): ("(b.major = $3::int4 or b.minor = $3::int4 or \(named))", [.text(text), .integer(number)])
      case .name(let text): (named, [.text(text)])
      }
    return tags("b.site_id = any($1::int4[]) and \(condition) order by b.last_seen desc", [.keys(sites)] + values, limit)
  }

  private static func moves(_ site: Int32, _ tag: BeaconIdentity, _ range: RowRange<Int64>) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      select c.change_id, json_build_object('id', c.change_id, 'time', c.changed_at, 'from', c.from_room, 'to', c.to_room,
        'reason', c.reason, 'device', d.name, 'formerDevice', f.name)
      from beacon b join room_change c using (beacon_id)
      left join device d on d.site_id = b.site_id and d.device_id = (c.reason ->> 'device')::int4
      left join device f on f.site_id = b.site_id and f.device_id = (c.reason ->> 'formerDevice')::int4
      where b.site_id = $1::int4 and b.uuid = $2::uuid and b.major = $3::int4 and b.minor = $4::int4 and c.change_id < $5::int8
      order by c.change_id desc limit $6::int8
      """, [.integer(site)] + tag.values + [.integer(range.beyond ?? .max), .integer(range.limit)])
  }

  private static func events(_ site: Int32, _ range: RowRange<Int64>) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      select e.event_id, json_build_object('id', e.event_id, 'device', d.name, 'time', e.device_time, 'received', e.received_at, 'event', e.body)
      from device d cross join lateral (
        select * from event where device_id = d.device_id and event_id < $2::int8 order by event_id desc limit $3::int8) e
      where d.site_id = $1::int4 order by e.event_id desc limit $3::int8
      """, [.integer(site), .integer(range.beyond ?? .max), .integer(range.limit)])
  }
}

extension BeaconIdentity {
  var values: [PostgreSQLValue] { [.text("\(uuid)"), .integer(major), .integer(minor)] }
}

extension PostgreSQLValue {
  /// An array of keys.
  static func keys(_ keys: [Int32]) -> PostgreSQLValue {
    var array = BinaryArray(of: .int4)
    for key in keys { array.append(key) }
    return .array(array)
  }
}
