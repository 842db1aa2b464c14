extension Migration {
  /// The surveys of rooms.
  static let surveys = Migration(
    name: "surveys",
    up: """
      create table room_survey(
        site_id int4 not null references site,
        room text not null,
        walked_at timestamptz not null,
        octets bytea not null,
        primary key(site_id, room));
      """,
    down: """
      drop table room_survey;
      """)
}
