extension Migration {
  /// Takes the lock of the device before its notice is built, so that the notice contains each change that was committed.
  ///
  /// Otherwise the later of two changes could replace the notice of the other one with a notice that it built before that one was
  /// committed.
  static let noticeOrder = Migration(
    name: "notice order",
    up: """
      create or replace function fleet_tell_device(told int4) returns void language plpgsql as $$
      declare
        notice text;
      begin
        -- A lock that does not wait for the messages of other kinds, whose rows refer to the device.
        perform from device where device_id = told for no key update;
        notice := fleet_sharing_notice(told, 24);
        -- The limit of a message to a device.
        if octet_length(notice) > 28000 then
          notice := fleet_sharing_notice(told, 8);
        end if;
        perform fleet_send(told, 2::int2, convert_to(notice, 'UTF8'), true);
      end $$;
      """,
    down: """
      create or replace function fleet_tell_device(told int4) returns void language plpgsql as $$
      declare
        notice text := fleet_sharing_notice(told, 24);
      begin
        -- The limit of a message to a device.
        if octet_length(notice) > 28000 then
          notice := fleet_sharing_notice(told, 8);
        end if;
        perform fleet_send(told, 2::int2, convert_to(notice, 'UTF8'), true);
      end $$;
      """)
}
