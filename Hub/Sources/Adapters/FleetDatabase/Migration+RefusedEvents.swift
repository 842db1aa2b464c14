extension Migration {
  /// The refused messages that a fleet keeps: the newest of each device, and the newest of all.
  static let refusedEvents = Migration(
    name: "refused events",
    up: """
      create table refused_event(
        refused_id int8 primary key generated always as identity,
        received_at timestamptz not null default now(),
        device_id int4 not null,
        reason text not null,
        topic text not null,
        detail text not null,
        journal uuid,
        sequence int8,
        size int4 not null,
        octets bytea not null);
      create index refused_event_device on refused_event(device_id, refused_id);

      create function fleet_topic(device int4) returns text language sql stable return (
        select 'fleet.v1.' || s.partition || '.' || s.name || '.' || d.name from device d join site s using (site_id)
        where d.device_id = device);

      create function fleet_address_in(topic text) returns text language sql immutable
        return regexp_replace(topic, '^fleet[.]v1[.][0-9]+[.]', '');

      -- The text of an event that the database refuses may be no JSON.
      create function fleet_tag_in(octets bytea) returns text language sql immutable return (
        select substring(beacon from '"uuid" *: *"([0-9a-f-]{36})"') || '/' || substring(beacon from '"major" *: *([0-9]+)') || '/'
          || substring(beacon from '"minor" *: *([0-9]+)')
        from (select substring(lower(encode(octets, 'escape')) from '"beacon" *: *([{][^}]*[}])') as beacon) t);

      create function fleet_omit_erased() returns trigger language plpgsql as $$
      begin
        if exists (select from suppression)
          and (fleet_is_suppressed(fleet_address_in(new.topic)) or fleet_is_suppressed(fleet_tag_in(new.octets))) then
          return null;
        end if;
        return new;
      end $$;
      create trigger refused_event_omitted before insert on refused_event for each row execute function fleet_omit_erased();

      create function fleet_forget_refused_events() returns trigger language plpgsql as $$
      begin
        -- One transaction at a time deletes, so that two do not wait for each other.
        if exists (select from added) and pg_try_advisory_xact_lock(4711, 6) then
          delete from refused_event r using (
            select o.refused_id from (select distinct device_id from added) a cross join lateral (
              select refused_id from refused_event where device_id = a.device_id order by refused_id desc offset 1000) o
            union
            select o.refused_id from (select refused_id from refused_event order by refused_id desc offset 20000) o
          ) surplus where r.refused_id = surplus.refused_id;
        end if;
        return null;
      end $$;
      create trigger refused_event_added after insert on refused_event referencing new table as added
        for each statement execute function fleet_forget_refused_events();
      """,
    down: """
      drop table refused_event;
      drop function fleet_forget_refused_events, fleet_omit_erased, fleet_tag_in, fleet_address_in, fleet_topic;
      """,
    discards: [.rows("refused_event")])
}
