extension Migration {
  /// The messages of the hub to devices.
  ///
  /// `fleet_send` is the way to write one. With `replaces`, it takes the place of all earlier ones of its kind. Otherwise those of a day,
  /// and the newest 200, stay.
  static let downlink = Migration(
    name: "downlink",
    up: """
      create table device_message(
        number int8 primary key generated always as identity,
        device_id int4 not null references device,
        kind int2 not null check (kind between 1 and 2),
        payload bytea not null check (octet_length(payload) <= 28672),
        created_at timestamptz not null default now(),
        attempts int4 not null default 0,
        sent_at timestamptz,
        acknowledged_at timestamptz);
      create index device_message_device on device_message(device_id, kind, number);
      create index device_message_new on device_message(number) where attempts = 0;

      create function fleet_send(device int4, message_kind int2, content bytea, replaces bool) returns int8 language plpgsql as $$
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
      """,
    down: """
      drop function fleet_send;
      drop table device_message;
      """,
    discards: [.rows("device_message")])
}
