extension Migration {
  /// The user of each device at the broker, the end of its certificate, and the time at which it is expected to send.
  static let enrolments = Migration(
    name: "enrolments",
    up: """
      alter table device add column login int8, add column certificate_ends timestamptz, add column expected_at timestamptz;
      -- Each certificate of an earlier version is valid for this time.
      update device set certificate_ends = enrolled_at + interval '825 days' where certificate is not null;
      """,
    down: """
      alter table device drop column login, drop column certificate_ends, drop column expected_at;
      """)
}
