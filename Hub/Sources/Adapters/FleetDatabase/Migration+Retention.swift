extension Migration {
  /// Partitions by time, which expire as a whole, and the tables of visits and erasures. Docs/fleet/people.md describes them.
  static let retention = Migration(
    name: "retention", up: retentionRules + partitionsByTime + visits, down: partitionsByDay + noVisits,
    discards: [
      .rows("visit"), .rows("suppression"), .rows("room_change", where: "beacon_id not in (select beacon_id from beacon)"),
      .rows(
        "retention",
        where: """
          (kind, hours) not in (('digest', 24), ('event', 720), ('room_change', 720), ('visit', 8760), ('audit', 8760), ('beacon', 720),
            ('visit_key', 24)) and kind in ('digest', 'event', 'room_change', 'visit', 'audit', 'beacon', 'visit_key')
          """),
    ])

  private static let retentionRules = """
    set local datestyle = 'ISO';
    set local timezone = 'UTC';
    create table retention(
      kind text primary key,
      hours int4 not null check (hours between 1 and 87840),
      partition_hours int4,
      checked_at timestamptz,
      failure text);
    insert into retention(kind, hours, partition_hours) values ('digest', 24, 1), ('event', 720, 24), ('room_change', 720, 24),
      ('visit', 8760, 168), ('audit', 8760, null), ('beacon', 720, null), ('visit_key', 24, null);
    create index audit_time on audit(made_at);
    create index audit_subject on audit(subject, made_at);

    create function fleet_partitions(parent regclass) returns table(name regclass, lower timestamptz, upper timestamptz)
      language sql stable set datestyle = 'ISO' set timezone = 'UTC' as $$
        select c.oid::regclass, (regexp_match(b.bound, 'FROM \\(''([^'']+)''\\)'))[1]::timestamptz,
          (regexp_match(b.bound, 'TO \\(''([^'']+)''\\)'))[1]::timestamptz
        from pg_inherits i join pg_class c on c.oid = i.inhrelid cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
        where i.inhparent = parent $$;

    create procedure fleet_make_partition(parent text, moment timestamptz) language plpgsql set timezone = 'UTC' as $$
    declare
      width interval := (select make_interval(hours => partition_hours) from retention where kind = parent);
      start timestamptz := date_bin(width, moment, timestamptz '2000-01-03 00:00+00');
      part text := parent || to_char(start, '_YYYYMMDD_HH24');
    begin
      if exists (select from fleet_partitions(parent::regclass) p where p.lower < start + width and p.upper > start) then
        return;
      end if;
      execute format('create table %I (like %I including defaults including constraints)', part, parent);
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part, start, start + width);
    end $$;

    create procedure fleet_make_partitions() language plpgsql as $$
    declare
      rule retention;
    begin
      perform pg_advisory_xact_lock(4711, 2);
      for rule in select * from retention where partition_hours is not null order by kind loop
        for ahead in 0..2 loop
          call fleet_make_partition(rule.kind, now() + make_interval(hours => ahead * rule.partition_hours));
        end loop;
      end loop;
    end $$;

    """

  private static let partitionsByTime = """
    alter table digest rename to digest_by_day;
    alter index digest_device rename to digest_by_day_device;
    create table digest(
      device_id int4 not null,
      journal uuid not null,
      sequence int8 not null,
      received_at timestamptz not null default now(),
      device_time timestamptz not null,
      body bytea not null) partition by range(received_at);
    create index digest_device on digest(device_id, received_at);

    alter table event rename to event_by_day;
    alter index event_place rename to event_by_day_place;
    alter index event_device rename to event_by_day_device;
    create table event(
      event_id int8 not null default nextval('event_id'),
      device_id int4 not null,
      journal uuid not null,
      sequence int8 not null,
      received_at timestamptz not null default now(),
      device_time timestamptz not null,
      body jsonb not null) partition by range(received_at);
    create index event_place on event(event_id);
    create index event_device on event(device_id, event_id);

    do $$
    declare
      part record;
      is_empty bool;
    begin
      for part in select c.oid::regclass as name, i.inhparent::regclass as old, replace(i.inhparent::regclass::text, '_by_day', '') as new,
          (regexp_match(pg_get_expr(c.relpartbound, c.oid), '''([^'']+)'''))[1]::date as day
        from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent in ('digest_by_day'::regclass, 'event_by_day'::regclass) loop
        execute format('alter table %s detach partition %s', part.old, part.name);
        execute format('select not exists (select from %s)', part.name) into is_empty;
        if is_empty then
          execute format('drop table %s', part.name);
        else
          execute format('alter table %s drop column day', part.name);
          execute format('alter table %s attach partition %s for values from (%L) to (%L)', part.new, part.name,
            part.day::timestamptz, (part.day + 1)::timestamptz);
        end if;
      end loop;
    end $$;
    drop table digest_by_day, event_by_day;
    drop procedure fleet_make_days;
    drop function fleet_day;

    alter table room_change rename to room_change_whole;
    alter index room_change_beacon rename to room_change_whole_beacon;
    create sequence room_change_id;
    select setval('room_change_id', coalesce(max(change_id), 0) + 1, false) from room_change_whole;
    create table room_change(
      change_id int8 not null default nextval('room_change_id'),
      beacon_id int4 not null,
      from_room text,
      to_room text,
      changed_at timestamptz not null,
      recorded_at timestamptz not null default now(),
      reason jsonb not null) partition by range(recorded_at);
    create index room_change_number on room_change(change_id);
    create index room_change_beacon on room_change(beacon_id, change_id);
    do $$
    declare
      moment timestamptz;
    begin
      for moment in select distinct date_trunc('day', recorded_at) from room_change_whole loop
        call fleet_make_partition('room_change', moment);
      end loop;
    end $$;
    insert into room_change select change_id, beacon_id, from_room, to_room, changed_at, recorded_at, reason from room_change_whole;
    drop table room_change_whole;

    """

  private static let partitionsByDay = """
    set local datestyle = 'ISO';
    set local timezone = 'UTC';
    create function fleet_day() returns date language sql stable return (now() at time zone 'utc')::date;
    create procedure fleet_make_days() language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(4711, 2);
      for ahead in 0..2 loop
        execute format('create table if not exists digest_%s partition of digest for values in (%L)',
          to_char(fleet_day() + ahead, 'YYYYMMDD'), fleet_day() + ahead);
        execute format('create table if not exists event_%s partition of event for values in (%L)',
          to_char(fleet_day() + ahead, 'YYYYMMDD'), fleet_day() + ahead);
      end loop;
    end $$;

    do $$
    declare
      part record;
    begin
      for part in select c.oid::regclass as name, c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent in ('digest'::regclass, 'event'::regclass) loop
        execute format('alter table %s rename to %I', part.name, 'old_' || part.relname);
      end loop;
    end $$;
    alter table digest rename to digest_by_time;
    alter index digest_device rename to digest_by_time_device;
    create table digest(
      day date not null,
      device_id int4 not null,
      journal uuid not null,
      sequence int8 not null,
      received_at timestamptz not null default now(),
      device_time timestamptz not null,
      body bytea not null) partition by list(day);
    create index digest_device on digest(device_id, received_at);
    alter table event rename to event_by_time;
    alter index event_place rename to event_by_time_place;
    alter index event_device rename to event_by_time_device;
    create table event(
      event_id int8 not null default nextval('event_id'),
      day date not null,
      device_id int4 not null,
      journal uuid not null,
      sequence int8 not null,
      received_at timestamptz not null default now(),
      device_time timestamptz not null,
      body jsonb not null) partition by list(day);
    create index event_place on event(event_id);
    create index event_device on event(device_id, event_id);
    do $$
    declare
      day date;
    begin
      for day in select distinct received_at::date from digest_by_time loop
        execute format('create table %I partition of digest for values in (%L)', 'digest_' || to_char(day, 'YYYYMMDD'), day);
      end loop;
      for day in select distinct received_at::date from event_by_time loop
        execute format('create table %I partition of event for values in (%L)', 'event_' || to_char(day, 'YYYYMMDD'), day);
      end loop;
    end $$;
    insert into digest select received_at::date, device_id, journal, sequence, received_at, device_time, body from digest_by_time;
    insert into event select event_id, received_at::date, device_id, journal, sequence, received_at, device_time, body from event_by_time;
    drop table digest_by_time, event_by_time;

    alter table room_change rename to room_change_by_time;
    alter index room_change_beacon rename to room_change_by_time_beacon;
    create table room_change(
      change_id int8 primary key generated by default as identity,
      beacon_id int4 not null references beacon,
      from_room text,
      to_room text,
      changed_at timestamptz not null,
      recorded_at timestamptz not null default now(),
      reason jsonb not null);
    create index room_change_beacon on room_change(beacon_id, change_id);
    insert into room_change
      select change_id, beacon_id, from_room, to_room, changed_at, recorded_at, reason from room_change_by_time
      where beacon_id in (select beacon_id from beacon);
    alter table room_change alter column change_id set generated always;
    select setval(pg_get_serial_sequence('room_change', 'change_id'), coalesce(max(change_id), 0) + 1, false) from room_change;
    drop table room_change_by_time;
    drop sequence room_change_id;

    """
}
