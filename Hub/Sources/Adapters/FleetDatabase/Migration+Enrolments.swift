extension Migration {
  /// The user of each device at the broker, the end of its certificate, and the time at which it is expected to send.
  ///
  /// The step back keeps these values in a table: without its user, no device could connect after the next step forward.
  static let enrolments = Migration(
    name: "enrolments",
    up: """
      alter table device add column login int8, add column certificate_ends timestamptz, add column expected_at timestamptz;
      -- Each certificate of an earlier version is valid for this time.
      update device set certificate_ends = enrolled_at + interval '825 days' where certificate is not null;
      -- A device that a program of the earlier schema has enrolled since the step back has a certificate with another user.
      do $$ begin
        if to_regclass('device_enrolment') is not null then
          update device d set login = k.login, certificate_ends = k.certificate_ends, expected_at = k.expected_at
            from device_enrolment k where k.device_id = d.device_id and k.enrolled_at = d.enrolled_at;
          drop table device_enrolment;
        end if;
      end $$;
      """,
    down: """
      create table device_enrolment as select device_id, enrolled_at, login, certificate_ends, expected_at from device;
      alter table device drop column login, drop column certificate_ends, drop column expected_at;
      """)
}
