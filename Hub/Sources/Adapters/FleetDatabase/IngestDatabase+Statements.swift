import Events

extension IngestDatabase {
  /// The time for which a numbering of events is kept that no event continues.
  ///
  /// It is that of events, and at least the longest delay of a message.
  private static let numberingsKept =
    "greatest((select make_interval(hours => hours) from retention where kind = 'event'), interval '7 days')"

  /// The prepared statements of a worker. The names of those that write are in the order of a batch.
  static let statements: KeyValuePairs<String, String> = [
    "devices": """
    select s.name, d.name, d.device_id, d.site_id, d.revoked_at is not null, t.journal, t.journal_returns, t.returned,
      t.report_journal
    from unnest($1::text[], $2::text[]) as wanted(site, device) join site s on s.name = wanted.site
    join device d on d.site_id = s.site_id and d.name = wanted.device left join device_state t using (device_id)
    """,
    "site-devices": """
    select site_id, device_id, room, floor from device where site_id = any($1::int4[]) and room is not null and revoked_at is null
    order by device_id
    """,
    "site-offsets": "select site_id, offsets from site where site_id = any($1::int4[])",
    "survey-keys": """
    select site_id, survey_id from room_survey r
    where site_id = any($1::int4[]) and exists (select from device d where d.site_id = r.site_id and d.room = r.room and d.revoked_at is null)
    order by survey_id
    """,
    "surveys": """
    select survey_id, room, case when octet_length(octets) <= $2::int8 then octets end, octet_length(octets), corrections from room_survey r
    where site_id = $1::int4 and exists (select from device d where d.site_id = r.site_id and d.room = r.room and d.revoked_at is null)
    order by survey_id
    """,
    "site-beacons": """
    select site_id, uuid, major, minor, beacon_id, sightings, last_seen, device_id, level, room_state, room,
      room_since
    from beacon where site_id = any($1::int4[]) and room is not null
    """,
    "streams": """
    select w.device, w.stream, w.journal, s.highest, s.origin, s.floor, s.gaps, s.abandoned, case when s.highest is null and w.stream = 0 then
      (select count(*) from stream o where o.device_id = w.device and o.stream = w.stream and o.changed_at >= now() - \(numberingsKept)) end
    from unnest($1::int4[], $2::int2[], $3::uuid[]) as w(device, stream, journal)
    left join stream s on s.device_id = w.device and s.stream = w.stream and s.journal = w.journal
    """,
    "beacons-enter": """
    with wanted as materialized (
      select w.*, row_number() over (partition by w.site) as place
      from unnest($1::int4[], $2::uuid[], $3::int4[], $4::int4[]) as w(site, uuid, major, minor)
      where not ((select exists (select from suppression)) and fleet_is_suppressed(fleet_tag(w.uuid, w.major, w.minor)))
        and not exists (select from beacon b where b.site_id = w.site and b.uuid = w.uuid and b.major = w.major and b.minor = w.minor)
    ), places as materialized (
      select s.site, s.wanted, $5::int8 - (select count(*) from beacon b where b.site_id = s.site) as free
      from (select site, count(*) as wanted from wanted group by site) s
    ), evicted as materialized (
      select o.* from places p cross join lateral (
        select b.beacon_id, b.site_id, b.uuid, b.major, b.minor from beacon b
        where b.site_id = p.site and b.room is null and b.last_seen < $6::int8 and p.wanted > p.free
          and not exists (select from beacon_name n where n.beacon_id = b.beacon_id)
        order by b.last_seen limit greatest(p.wanted - p.free, 0)
      ) o
    ), history as (
      delete from room_change c using evicted e where c.beacon_id = e.beacon_id
    ), gone as (
      delete from beacon b using evicted e where b.beacon_id = e.beacon_id
    ), entered as (
      insert into beacon(site_id, uuid, major, minor)
      select w.site, w.uuid, w.major, w.minor from wanted w join places p using (site)
      where w.place <= p.free + (select count(*) from evicted e where e.site_id = w.site)
      on conflict do nothing
    )
    select site_id, uuid, major, minor from evicted
    """,
    "beacons": """
    select w.place, b.beacon_id, b.sightings, b.last_seen, b.device_id, b.level, b.room_state, b.room, b.room_since
    from unnest($1::int4[], $2::uuid[], $3::int4[], $4::int4[]) with ordinality as w(site, uuid, major, minor, place)
    join beacon b on b.site_id = w.site and b.uuid = w.uuid and b.major = w.major and b.minor = w.minor
    where not ((select exists (select from suppression)) and fleet_is_suppressed(fleet_tag(w.uuid, w.major, w.minor)))
    """,
    "messages-due": """
    select s.name as site, d.name as device, m.number, m.kind, encode(m.payload, 'hex')
    from device_message m join device d using (device_id) join site s using (site_id)
    where m.acknowledged_at is null and d.revoked_at is null and (
      m.attempts = 0 and s.partition % (select queues from fleet) = any($2::int2[])
      or m.device_id = any($1::int4[])
        and coalesce(m.sent_at < clock_timestamp() - least(3600, 2 ^ least(m.attempts, 12) - 2) * interval '1 second', true))
    order by m.number limit $3::int8
    """,
    "messages-sent": """
    update device_message set attempts = attempts + 1, sent_at = clock_timestamp() where number = any($1::int8[])
    """,
    "messages-acknowledge": """
    update device_message m set acknowledged_at = now() from unnest($1::int4[], $2::int8[]) as u(d, n)
    where m.number = u.n and m.device_id = u.d and m.acknowledged_at is null and m.attempts > 0
    """,
    "beacons-erased": """
    select w.place from unnest($1::int4[], $2::uuid[], $3::int4[], $4::int4[]) with ordinality as w(site, uuid, major, minor, place)
    where (select exists (select from suppression)) and fleet_is_suppressed(fleet_tag(w.uuid, w.major, w.minor))
    """,
    "fence": "select fleet_fence($1::int2[], $2::int8[], $3::int4)",
    "shares": "select fleet_shares_from($1::int4[], $2::int8[], $3::uuid[], $4::int8[], $5::text[])",
    "tags-moved": "select fleet_tags_moved($1::int4[])",
    "digests": """
    insert into digest(device_id, journal, sequence, device_time, body)
    select d, j, n, fleet_time(t), b from unnest($1::int4[], $2::uuid[], $3::int8[], $4::int8[], $5::bytea[]) as u(d, j, n, t, b)
    """,
    "events": """
    with given as materialized (
      select d, j, n, t, b, b::jsonb as body from unnest($1::int4[], $2::uuid[], $3::int8[], $4::int8[], $5::text[]) as u(d, j, n, t, b)),
    sorted as (
      select *, coalesce(jsonb_typeof(\(EventSQL.kind)) = 'string', false) as is_event,
        (select exists (select from suppression)) and fleet_is_suppressed(\(EventSQL.tag)) as is_erased
      from given),
    refused as (
      insert into refusal as r(device_id, reason, messages, detail)
      select d, 'rejected', count(*), 'an event is an object with a text "\(Event.Keys.kind)"; number ' || max(n) from sorted where not is_event
      group by d order by d
      on conflict (device_id, reason) do update
        set messages = r.messages + excluded.messages, last_at = excluded.last_at, detail = excluded.detail),
    aside as (
      insert into refused_event(device_id, reason, topic, detail, journal, sequence, size, octets)
      select d, 'rejected', fleet_topic(d), 'an event is an object with a text "\(Event.Keys.kind)"', j, n, octet_length(b),
        substr(convert_to(b, 'UTF8'), 1, $6::int4)
      from sorted where not is_event)
    insert into event(device_id, journal, sequence, device_time, body)
    select d, j, n, fleet_time(t), body from sorted where is_event and is_erased is not true
    """,
    "conflicts": """
    with given as materialized (
      select * from unnest($1::int4[], $2::uuid[], $3::int8[], $4::int8[], $5::bytea[], $8::int2[]) as u(d, j, n, t, b, f)),
    stored as materialized (
      select g.*, e.body from given g left join lateral (
        select r.body from (select journal, sequence, body from event where device_id = g.d order by event_id desc limit $7::int8) r
        where r.journal = g.j and r.sequence = g.n limit 1) e on true),
    differing as materialized (
      select d, j, n, b, 'conflict' as reason, 'another event has the number ' as detail
      from stored where body is not null and body is distinct from case when f = 0 then convert_from(b, 'UTF8')::jsonb end
      union all
      select d, j, n, b, 'unverified', 'no stored event has the number ' from stored s
      where body is null and ((select exists (select from suppression)) and fleet_is_suppressed(fleet_tag_in(b))) is not true
        and not exists (
          select from (select * from refused_event where device_id = s.d order by refused_id desc limit $7::int8) r
          where r.journal = s.j and r.sequence = s.n and r.size = octet_length(s.b) and r.octets = substr(s.b, 1, $6::int4))),
    refused as (
      insert into refusal as r(device_id, reason, messages, detail)
      select d, reason, count(*), min(detail) || max(n) from differing group by d, reason order by d, reason
      on conflict (device_id, reason) do update
        set messages = r.messages + excluded.messages, last_at = excluded.last_at, detail = excluded.detail)
    insert into refused_event(device_id, reason, topic, detail, journal, sequence, size, octets)
    select d, reason, fleet_topic(d), detail || n, j, n, octet_length(b), substr(b, 1, $6::int4) from differing
    """,
    "streams-write": """
    insert into stream(device_id, stream, journal, highest, origin, floor, gaps, abandoned, missing, lost)
    select d, s, j, h, o, f, g::int8multirange, a, m, l
    from unnest($1::int4[], $2::int2[], $3::uuid[], $4::int8[], $5::int8[], $6::int8[], $7::text[], $8::int8[], $9::int8[], $10::int8[])
      as u(d, s, j, h, o, f, g, a, m, l)
    on conflict (device_id, stream, journal) do update set highest = excluded.highest, origin = excluded.origin, floor = excluded.floor,
      gaps = excluded.gaps, abandoned = excluded.abandoned, missing = excluded.missing, lost = excluded.lost, changed_at = excluded.changed_at
    """,
    "streams-forget": """
    delete from stream s using unnest($1::int4[], $2::int2[]) as w(device, stream) cross join lateral (
      select o.journal from stream o where o.device_id = w.device and o.stream = w.stream order by o.changed_at desc, o.journal offset $3::int8
    ) old where s.device_id = w.device and s.stream = w.stream and s.journal = old.journal
    """,
    "numberings-expire": """
    delete from stream s using unnest($1::int4[]) as w(device)
    where s.device_id = w.device and s.stream = 0 and s.changed_at < now() - \(numberingsKept)
    """,
    "devices-write": """
    insert into device_state(device_id, device_time, journal, journal_returns, returned, report_journal, late_at)
    select d, fleet_time(t), j, r, n, p, case when now() - fleet_time(t) between interval '2 minutes' and interval '1 day' then now() end
    from unnest($1::int4[], $2::int8[], $3::uuid[], $4::int8[], $5::int8[], $6::uuid[]) as u(d, t, j, r, n, p)
    on conflict (device_id) do update set received_at = excluded.received_at, device_time = excluded.device_time, journal = excluded.journal,
      journal_returns = excluded.journal_returns, returned = excluded.returned, report_journal = excluded.report_journal,
      late_at = coalesce(excluded.late_at, device_state.late_at)
    """,
    "reports-write": """
    insert into device_report(device_id, version, revision, configuration, free_space, dropped_digests, clock_synchronised, problems,
      rollout_revision, rollout_state, rollout_text)
    select d, v, r, c, s, l, case k when 0 then false when 1 then true end, string_to_array(p, chr(31)), o, q, t
    from unnest($1::int4[], $2::text[], $3::int8[], $4::bytea[], $5::int8[], $6::int8[], $7::int2[], $8::text[], $9::int8[], $10::int2[], $11::text[])
      as u(d, v, r, c, s, l, k, p, o, q, t)
    on conflict (device_id) do update set received_at = excluded.received_at, version = excluded.version, revision = excluded.revision,
      configuration = excluded.configuration, free_space = excluded.free_space, dropped_digests = excluded.dropped_digests,
      clock_synchronised = excluded.clock_synchronised, problems = excluded.problems, rollout_revision = excluded.rollout_revision,
      rollout_state = excluded.rollout_state, rollout_text = excluded.rollout_text
    """,
    "beacons-write": """
    with changed as (
      update beacon b set sightings = u.n, last_seen = u.t, device_id = u.d, level = u.l, room = u.r, room_since = u.s, room_state = u.o
      from unnest($1::int4[], $2::int8[], $3::int8[], $4::int4[], $5::int2[], $6::text[], $7::int8[], $8::bytea[]) as u(i, n, t, d, l, r, s, o)
      where b.beacon_id = u.i returning 1)
    select fleet_require((select count(*) from changed) = cardinality($1::int4[]))
    """,
    "changes-write": """
    with given as materialized (
      select * from unnest($1::int4[], $2::text[], $3::text[], $4::int8[], $5::text[], $6::int8[]) as u(b, f, t, a, r, s)),
    changed as (
      insert into room_change(beacon_id, from_room, to_room, changed_at, reason) select b, f, t, fleet_time(a), r::jsonb from given)
    insert into visit(site_id, room, begun_at, seconds, pseudonym)
    select b.site_id, g.f, date_trunc('hour', fleet_time(g.s)), least(round(greatest(g.a - g.s, 0) / 300000.0) * 300, 2147483400)::int4,
      fleet_pseudonym(b.site_id || '/' || fleet_tag(b.uuid, b.major, b.minor))
    from given g join beacon b on b.beacon_id = g.b where g.f is not null and g.s is not null
    """,
    "offsets-write": "update site s set offsets = u.o from unnest($1::int4[], $2::bytea[]) as u(i, o) where s.site_id = u.i",
    "corrections-write": """
    update room_survey r set corrections = u.o, corrected_at = now() from unnest($1::int8[], $2::bytea[]) as u(i, o) where r.survey_id = u.i
    """,
    "refusals-write": """
    insert into refusal as r(device_id, reason, messages, detail)
    select d, e, n, case when (select exists (select from suppression))
      and fleet_is_suppressed(regexp_replace(t, '^fleet[.]v1[.][0-9]+[.]', '')) then 'an erased device' else t end
    from unnest($1::int4[], $2::text[], $3::int8[], $4::text[]) as u(d, e, n, t)
    on conflict (device_id, reason) do update set messages = r.messages + excluded.messages, last_at = excluded.last_at, detail = excluded.detail
    """,
    "set-aside": """
    insert into refused_event(device_id, reason, topic, detail, journal, sequence, size, octets)
    select * from unnest($1::int4[], $2::text[], $3::text[], $4::text[], $5::uuid[], $6::int8[], $7::int4[], $8::bytea[])
    """,
  ]
}
