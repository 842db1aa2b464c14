extension Migration {
  /// The rooms of devices and of beacons.
  static let rooms = Migration(
    name: "rooms",
    up: """
      alter table site add column offsets bytea;
      alter table device add column room text, add column floor int2;
      alter table beacon add column room text, add column room_since int8, add column room_state bytea;
      create table room_change(
        change_id int8 primary key generated always as identity,
        beacon_id int4 not null references beacon,
        from_room text,
        to_room text,
        changed_at timestamptz not null,
        recorded_at timestamptz not null default now(),
        reason jsonb not null);
      create index room_change_beacon on room_change(beacon_id, change_id);
      """,
    down: """
      drop table room_change;
      alter table beacon drop column room, drop column room_since, drop column room_state;
      alter table device drop column room, drop column floor;
      alter table site drop column offsets;
      """,
    discards: [
      .rows("room_change"), .values("device", "room"), .values("device", "floor"), .values("beacon", "room"),
      .values("site", "offsets"),
    ])
}
