extension Migration {
  /// The expiry of messages to devices and of tags that are in a room, and indexes by which an erasure finds the newest rows.
  static let expiry = Migration(
    name: "expiry",
    up: """
      alter table beacon add column entered_at timestamptz not null default now();
      insert into retention(kind, hours) values ('message', 720);
      create index digest_time on digest using brin(received_at) with (autosummarize = on);
      create index event_time on event using brin(received_at) with (autosummarize = on);
      create index room_change_time on room_change using brin(recorded_at) with (autosummarize = on);

      create or replace function fleet_send(device int4, message_kind int2, content bytea, replaces bool) returns int8 language plpgsql as $$
      declare
        sent int8;
      begin
        -- Of two senders at once, the later one replaces the message of the other.
        perform pg_advisory_xact_lock(device::int8 * 256 + message_kind);
        delete from device_message m where m.device_id = device and m.kind = message_kind and (
          replaces or m.acknowledged_at < now() - interval '1 day' or m.number <= (
            select o.number from device_message o where o.device_id = device and o.kind = message_kind order by o.number desc offset 199 limit 1));
        insert into device_message(device_id, kind, payload) values (device, message_kind, content) returning number into sent;
        perform pg_notify('fleet_message', '');
        return sent;
      end $$;
      """,
    down: """
      create or replace function fleet_send(device int4, message_kind int2, content bytea, replaces bool) returns int8 language plpgsql as $$
      declare
        sent int8;
      begin
        delete from device_message m where m.device_id = device and m.kind = message_kind and (
          replaces or m.acknowledged_at < now() - interval '1 day' or m.number <= (
            select o.number from device_message o where o.device_id = device and o.kind = message_kind order by o.number desc offset 199 limit 1));
        insert into device_message(device_id, kind, payload) values (device, message_kind, content) returning number into sent;
        perform pg_notify('fleet_message', '');
        return sent;
      end $$;
      drop index digest_time, event_time, room_change_time;
      delete from retention where kind = 'message';
      alter table beacon drop column entered_at;
      """,
    discards: [.rows("retention", where: "kind = 'message' and hours <> 720")])
}
