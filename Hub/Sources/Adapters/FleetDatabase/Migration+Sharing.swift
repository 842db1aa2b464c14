extension Migration {
  /// The tables of shares, and the functions that change them.
  ///
  /// Workers, the page and the sweep call the same functions, so that each rule is written once, and a revocation deletes the position and
  /// tells every device in one transaction.
  static let sharing = Migration(
    name: "sharing", up: shareTables + shareAudience + shareNotices + shareChanges + shareSweep,
    down: dropShareChanges + dropShareNotices + """
      drop view share_reader, share_audience;
      drop table share_deleted, share_log, share_answer, share_recipient, share, beacon_owner;
      """,
    discards: [
      .rows("beacon_owner"), .rows("share"), .rows("share_recipient"), .rows("share_answer"), .rows("share_log"),
    ])

  static let shareTables = """
    create table beacon_owner(
      beacon_id int4 primary key references beacon on delete cascade,
      person_id int4 not null references person on delete cascade);
    create index beacon_owner_person on beacon_owner(person_id);
    create table share(
      share_id uuid primary key,
      site_id int4 not null references site,
      device_id int4 references device,
      beacon_id int4 references beacon on delete cascade,
      person_id int4 references person on delete cascade,
      purpose text not null check (octet_length(purpose) between 1 and 200),
      begun_at timestamptz not null default now(),
      ends_at timestamptz not null,
      position jsonb,
      position_at timestamptz,
      position_journal uuid,
      position_number int8,
      check ((device_id is null) = (beacon_id is not null and person_id is not null)));
    create index share_device on share(device_id);
    create index share_person on share(person_id);
    create index share_beacon on share(beacon_id);
    create index share_site on share(site_id);
    create index share_end on share(ends_at);
    create table share_recipient(
      share_id uuid not null references share on delete cascade,
      name text not null,
      person_id int4 references person on delete cascade,
      device_id int4 references device,
      role text check (role in ('viewer', 'operator', 'owner')),
      primary key(share_id, name));
    create index share_recipient_person on share_recipient(person_id);
    create index share_recipient_device on share_recipient(device_id);
    create table share_answer(
      share_id uuid not null references share on delete cascade,
      person_id int4 references person on delete cascade,
      device_id int4 references device,
      accepted bool not null,
      answered_at timestamptz not null default now(),
      read_at timestamptz,
      check ((person_id is null) <> (device_id is null)));
    create unique index share_answer_person on share_answer(share_id, person_id) where person_id is not null;
    create unique index share_answer_device on share_answer(share_id, device_id) where device_id is not null;
    create unlogged table share_deleted(device_id int4 primary key);
    create table share_log(
      log_id int8 primary key generated always as identity,
      made_at timestamptz not null default clock_timestamp(),
      site_id int4 not null references site,
      share_id uuid not null,
      actor text not null,
      action text not null check (action in ('offer', 'accept', 'decline', 'read', 'end')),
      detail text not null default '');
    create index share_log_site on share_log(site_id, log_id);
    create index share_log_share on share_log(share_id);
    create index share_log_time on share_log(made_at);

    """

  /// The people and devices that a share names at this moment. A role that is revoked takes effect at once.
  static let shareAudience = """
    create view share_audience as
      select s.share_id, r.name, p.person_id, null::int4 as device_id from share s join share_recipient r using (share_id)
        join person p on r.person_id = p.person_id or r.role is not null
        left join person_role m on m.person_id = p.person_id and m.site_id = s.site_id
        where p.person_id is distinct from s.person_id and case when r.role is null then p.is_administrator or m.role is not null
          when p.is_administrator then true
          else array_position('{viewer,operator,owner}', m.role) >= array_position('{viewer,operator,owner}', r.role) end
      union all
      select s.share_id, r.name, null, d.device_id from share s join share_recipient r using (share_id)
        join device d on d.device_id = r.device_id and d.site_id = s.site_id and d.revoked_at is null;
    create view share_reader as
      select distinct s.share_id, u.person_id, u.device_id from share s join share_audience u using (share_id)
        join share_answer a on a.share_id = s.share_id and a.accepted
          and (a.person_id = u.person_id or a.device_id = u.device_id)
        left join device d on d.device_id = s.device_id
        where s.ends_at > now() and d.revoked_at is null;

    """
}
