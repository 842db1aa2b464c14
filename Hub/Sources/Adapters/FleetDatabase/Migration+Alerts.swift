extension Migration {
  /// The alerts with their events and deliveries, what was heard when, mutes, and the disks of the hub.
  static let alerts = Migration(
    name: "alerts",
    up: """
      alter table fleet add column identity uuid not null default gen_random_uuid();
      create table alert(
        alert_id int8 primary key generated always as identity,
        kind text not null,
        subject text not null,
        site text,
        device text,
        since timestamptz not null,
        opened_at timestamptz not null,
        calm_at timestamptz,
        ended_at timestamptz,
        announced bool not null,
        text text not null);
      create unique index alert_open on alert(kind, subject) where ended_at is null;
      create index alert_ended on alert(ended_at) where ended_at is not null;
      create table alert_event(
        event_id int8 primary key generated always as identity,
        alert_id int8 not null references alert on delete cascade,
        made_at timestamptz not null,
        is_end bool not null,
        text text not null,
        lasted int8);
      create index alert_event_alert on alert_event(alert_id);
      create table alert_delivery(
        delivery_id int8 primary key generated always as identity,
        event_id int8 not null references alert_event on delete cascade,
        target text not null,
        queued_at timestamptz not null default now(),
        failure text);
      create index alert_delivery_event on alert_delivery(event_id);
      create index alert_delivery_queue on alert_delivery(target, delivery_id) where failure is null;
      create table alert_presence(part text primary key, heard_at timestamptz not null, since timestamptz not null) with (fillfactor = 50);
      create table alert_mute(
        subject text not null,
        kind text not null,
        muted_at timestamptz not null default now(),
        until timestamptz,
        actor text not null,
        primary key(subject, kind));
      create table alert_disk(
        machine text not null,
        path text not null,
        free int8 not null,
        measured_at timestamptz not null default now(),
        primary key(machine, path)) with (fillfactor = 50);
      """,
    down: """
      drop table alert_disk, alert_mute, alert_presence, alert_delivery, alert_event, alert;
      alter table fleet drop column identity;
      """,
    discards: [.rows("alert"), .rows("alert_event"), .rows("alert_delivery"), .rows("alert_mute")])
}
