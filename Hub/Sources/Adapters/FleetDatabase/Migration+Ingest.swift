extension Migration {
  /// The tables of enrolments, streams, digests, events and beacons. Docs/fleet/messages.md describes them.
  static let ingest = Migration(
    name: "ingest",
    up: """
      create table fleet(queues int2 not null, revision int8 not null default 0);
      create unique index fleet_one_row on fleet((true));

      create table site(
        site_id int4 primary key generated always as identity,
        name text not null unique check (name ~ '^[a-z0-9][a-z0-9-]{0,31}$'),
        partition int2 not null check (partition between 0 and 63),
        enrolled_at timestamptz not null default now());
      create table device(
        device_id int4 primary key generated always as identity,
        site_id int4 not null references site,
        name text not null check (name ~ '^[a-z0-9][a-z0-9-]{0,31}$'),
        certificate bytea,
        enrolled_at timestamptz not null default now(),
        revoked_at timestamptz,
        unique(site_id, name));

      create table queue(queue int2 primary key, epoch int8 not null default 0, worker text, since timestamptz);
      create table worker(worker text primary key, seen_at timestamptz not null);

      create table stream(
        device_id int4 not null references device,
        stream int2 not null,
        journal uuid not null,
        highest int8 not null,
        origin int8 not null,
        floor int8 not null,
        gaps int8multirange not null,
        abandoned int8 not null,
        missing int8 not null,
        lost int8 not null,
        changed_at timestamptz not null default now(),
        primary key(device_id, stream, journal)) with (fillfactor = 50);

      create table device_state(
        device_id int4 primary key references device,
        received_at timestamptz not null default now(),
        device_time timestamptz not null,
        journal uuid,
        journal_returns int8 not null,
        returned int8 not null) with (fillfactor = 50);
      create table device_report(
        device_id int4 primary key references device,
        received_at timestamptz not null default now(),
        version text not null,
        revision int8 not null,
        configuration bytea,
        free_space int8,
        dropped_digests int8 not null,
        clock_synchronised bool,
        problems text[] not null) with (fillfactor = 50);

      create table beacon(
        beacon_id int4 primary key generated always as identity,
        site_id int4 not null references site,
        uuid uuid not null,
        major int4 not null,
        minor int4 not null,
        sightings int8 not null default 0,
        last_seen int8 not null default 0,
        device_id int4 not null default 0,
        level int2 not null default 0,
        unique(site_id, uuid, major, minor)) with (fillfactor = 50);

      create table digest(
        day date not null,
        device_id int4 not null,
        journal uuid not null,
        sequence int8 not null,
        received_at timestamptz not null default now(),
        device_time timestamptz not null,
        body bytea not null) partition by list(day);
      create index digest_device on digest(device_id, received_at);
      create sequence event_id;
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

      create table refusal(
        device_id int4 not null,
        reason text not null,
        messages int8 not null,
        last_at timestamptz not null default now(),
        detail text not null,
        primary key(device_id, reason)) with (fillfactor = 50);

      create function fleet_time(milliseconds int8) returns timestamptz language sql immutable
        return timestamptz 'epoch' + milliseconds * interval '1 millisecond';

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

      create function fleet_fence(queues int2[], epochs int8[]) returns int8 language plpgsql as $$
      declare
        owned int;
      begin
        perform 1 from unnest(queues, epochs) as mine(queue, epoch) join queue using (queue, epoch)
          order by queue.queue for share of queue;
        get diagnostics owned = row_count;
        if owned < cardinality(queues) then
          raise exception 'another worker owns a queue of this batch' using errcode = 'HUB01';
        end if;
        return (select revision from fleet);
      end $$;
      """,
    down: """
      drop function fleet_fence;
      drop procedure fleet_make_days;
      drop table digest, event, refusal, beacon, device_report, device_state, stream, worker, queue, device, site, fleet;
      -- The step back from "enrolments" makes this table.
      drop table if exists device_enrolment;
      drop function fleet_day;
      drop function fleet_time;
      drop sequence event_id;
      """,
    discards: [
      .rows("site"), .rows("device"), .rows("beacon"), .rows("stream"), .rows("device_state"), .rows("device_report"),
      .rows("digest"), .rows("event"), .rows("refusal"),
    ])
}
