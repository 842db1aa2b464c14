extension Migration {
  /// The tables of people, their roles and sessions, the audit log, names of tags, and places of sites.
  /// Docs/fleet/messages.md describes them.
  static let people = Migration(
    name: "people",
    up: """
      create table person(
        person_id int4 primary key generated always as identity,
        name text not null check (length(name) between 1 and 64),
        password text,
        is_administrator bool not null default false,
        added_at timestamptz not null default now());
      create unique index person_name on person(lower(name));
      create table person_role(
        person_id int4 not null references person on delete cascade,
        site_id int4 not null references site,
        role text not null check (role in ('viewer', 'operator', 'owner')),
        granted_at timestamptz not null default now(),
        primary key(person_id, site_id));
      create index person_role_site on person_role(site_id);
      create table person_session(
        session bytea primary key,
        person_id int4 not null references person on delete cascade,
        begun_at timestamptz not null default now(),
        used_at timestamptz not null default now());
      create index person_session_person on person_session(person_id);

      create table audit(
        audit_id int8 primary key generated always as identity,
        made_at timestamptz not null default now(),
        actor text not null,
        action text not null,
        site_id int4 references site,
        subject text not null,
        detail text not null default '');
      create index audit_site on audit(site_id, audit_id);

      create table beacon_name(
        beacon_id int4 primary key references beacon,
        name text not null check (length(name) between 1 and 80));
      create index beacon_name_text on beacon_name((lower(name) collate "C"));
      create index beacon_site on beacon(site_id, beacon_id);
      create index beacon_pair on beacon(major, minor);
      create index beacon_minor on beacon(minor);

      alter table site add column title text check (length(title) <= 80), add column latitude float8 check (latitude between -90 and 90),
        add column longitude float8 check (longitude between -180 and 180), add check ((latitude is null) = (longitude is null));

      create view device_overview as
        select d.device_id, d.site_id, d.name, d.room, d.floor, d.enrolled_at, d.revoked_at, s.received_at, s.received_at - s.device_time as lag,
          r.version, r.revision, r.free_space, r.dropped_digests, r.clock_synchronised, r.problems, n.missing, n.lost,
          case when d.revoked_at is not null then 'revoked' when s.received_at is null then 'new'
            when s.received_at < now() - interval '2 minutes' then 'silent'
            when cardinality(r.problems) > 0 or n.missing > 0 or not r.clock_synchronised then 'problem' else 'good' end as state
        from device d left join device_state s using (device_id) left join device_report r using (device_id)
        left join lateral (select sum(missing)::int8 as missing, sum(lost)::int8 as lost from stream where stream.device_id = d.device_id) n on true;
      """,
    down: """
      drop view device_overview;
      alter table site drop column title, drop column latitude, drop column longitude;
      drop index beacon_site, beacon_pair, beacon_minor;
      drop table beacon_name, audit, person_session, person_role, person;
      """,
    discards: [
      .rows("person"), .rows("person_role"), .rows("person_session"), .rows("audit"), .rows("beacon_name"),
      .values("site", "title"), .values("site", "latitude"), .values("site", "longitude"),
    ])
}
