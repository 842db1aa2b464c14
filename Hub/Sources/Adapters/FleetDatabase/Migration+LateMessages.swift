extension Migration {
  /// The devices whose messages come late, such as over a slow link or after an absence.
  ///
  /// A report is never late, and may come between two late digests. A device therefore counts as late until a minute without a late message
  /// has passed.
  static let lateMessages = Migration(
    name: "late messages",
    up: """
      alter table device_state add column late_at timestamptz;
      create or replace view device_overview as
        \(overview("case when s.late_at > now() - interval '1 minute' then 'late' end, "));
      """,
    down: """
      create or replace view device_overview as
        \(overview());
      alter table device_state drop column late_at;
      """)
}
