extension Migration {
  /// The rollouts of configuration, the devices that got them, and the states that devices report.
  static let rollouts = Migration(
    name: "rollouts",
    up: """
      create table rollout(
        revision int8 primary key check (revision between 1 and 9007199254740992),
        content bytea not null check (octet_length(content) <= 28672),
        audience text[] not null,
        actor text not null,
        started_at timestamptz not null default now(),
        soak interval not null,
        phase text not null default 'canary' check (phase in ('canary', 'soak', 'rest', 'stopped', 'failed')),
        since timestamptz not null default now(),
        reason text not null default '',
        interrupted text check (interrupted in ('canary', 'soak', 'rest')),
        accepted_failures int4 not null default 0,
        check ((phase in ('stopped', 'failed')) = (interrupted is not null)));
      create table rollout_device(
        revision int8 not null references rollout on delete cascade,
        device_id int4 not null references device,
        is_canary bool not null default false,
        known_problems text[] not null default '{}',
        message int8,
        sent_at timestamptz,
        state int2 check (state between 0 and 3),
        detail text not null default '',
        primary key(revision, device_id)) with (fillfactor = 80);
      create index rollout_device_device on rollout_device(device_id);
      create table rollout_watch(checked_at timestamptz not null default now(), since timestamptz not null default now());
      create unique index rollout_watch_one_row on rollout_watch((true));
      insert into rollout_watch default values;
      alter table device_report add column rollout_revision int8, add column rollout_state int2, add column rollout_text text;

      create function fleet_is_audience(audience text[], site text, device text) returns bool language sql immutable
        return site = any(audience) or site || '.' || device = any(audience);

      -- The devices of a rollout that have to get it now: canaries, and in its last phase the whole audience. A device that knows it or a newer one,
      -- for which a message waits, or that a newer rollout is for, is none. A forged rollout that a device has refused counts for nothing.
      create function fleet_rollout_due(wanted int8, most int) returns table(device_id int4) language sql stable as $$
        select d.device_id from rollout o cross join device d join site s using (site_id)
          left join rollout_device x on x.revision = o.revision and x.device_id = d.device_id
          left join device_report r on r.device_id = d.device_id
        where o.revision = wanted and o.phase in ('canary', 'soak', 'rest') and d.revoked_at is null
          and (x.is_canary or o.phase = 'rest' and fleet_is_audience(o.audience, s.name, d.name))
          and coalesce(r.revision, 0) < o.revision and r.rollout_revision is distinct from o.revision
          and not exists (select from rollout n where n.revision = r.rollout_revision and n.revision > o.revision)
          and not exists (select from device_message m where m.number = x.message
            and (m.acknowledged_at is null or m.acknowledged_at > now() - interval '1 hour'))
          and not exists (
            select from rollout n left join rollout_device y on y.revision = n.revision and y.device_id = d.device_id
            where n.revision > o.revision
              and (n.phase in ('canary', 'soak') and y.is_canary or n.phase = 'rest' and fleet_is_audience(n.audience, s.name, d.name)))
        order by d.device_id limit most
      $$;

      create function fleet_send_rollout(wanted int8, most int) returns int language plpgsql as $$
      declare
        due int4[] := array(select device_id from fleet_rollout_due(wanted, most));
        octets bytea := (select content from rollout where revision = wanted);
        one int4;
      begin
        foreach one in array due loop
          insert into rollout_device as x(revision, device_id, message, sent_at)
            values (wanted, one, fleet_send(one, 1::int2, octets, true), now())
            on conflict (revision, device_id) do update
              set message = excluded.message, sent_at = excluded.sent_at, state = null, detail = '';
        end loop;
        return cardinality(due);
      end $$;

      drop view device_overview;
      create view device_overview as
        select d.device_id, d.site_id, d.name, d.room, d.floor, d.enrolled_at, d.revoked_at, s.received_at, s.received_at - s.device_time as lag,
          r.version, r.revision, r.free_space, r.dropped_digests, r.clock_synchronised, r.problems, n.missing, n.lost,
          case when d.revoked_at is not null then 'revoked' when s.received_at is null then 'new'
            when s.received_at < now() - interval '2 minutes' then 'silent'
            when cardinality(r.problems) > 0 or n.missing > 0 or not r.clock_synchronised then 'problem' else 'good' end as state,
          r.rollout_revision, case r.rollout_state when 0 then 'onTrial' when 1 then 'confirmed' when 2 then 'refused' when 3 then 'rolledBack' end
            as rollout_state, r.rollout_text
        from device d left join device_state s using (device_id) left join device_report r using (device_id)
        left join lateral (select sum(missing)::int8 as missing, sum(lost)::int8 as lost from stream where stream.device_id = d.device_id) n on true;
      """,
    down: """
      drop view device_overview;
      create view device_overview as
        select d.device_id, d.site_id, d.name, d.room, d.floor, d.enrolled_at, d.revoked_at, s.received_at, s.received_at - s.device_time as lag,
          r.version, r.revision, r.free_space, r.dropped_digests, r.clock_synchronised, r.problems, n.missing, n.lost,
          case when d.revoked_at is not null then 'revoked' when s.received_at is null then 'new'
            when s.received_at < now() - interval '2 minutes' then 'silent'
            when cardinality(r.problems) > 0 or n.missing > 0 or not r.clock_synchronised then 'problem' else 'good' end as state
        from device d left join device_state s using (device_id) left join device_report r using (device_id)
        left join lateral (select sum(missing)::int8 as missing, sum(lost)::int8 as lost from stream where stream.device_id = d.device_id) n on true;
      drop function fleet_send_rollout, fleet_rollout_due, fleet_is_audience;
      alter table device_report drop column rollout_revision, drop column rollout_state, drop column rollout_text;
      drop table rollout_watch, rollout_device, rollout;
      """,
    discards: [.rows("rollout"), .rows("rollout_device")])
}
