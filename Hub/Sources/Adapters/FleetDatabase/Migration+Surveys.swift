extension Migration {
  /// The surveys of rooms.
  ///
  /// Without them eight devices of a beacon compete instead of twelve, and an earlier program refuses a state with more. So the step back
  /// leaves the eight loudest devices in each state, whose octets `BeaconRoomFilter.octets` describes: the number of devices is the 38th,
  /// 10 octets for each follow, and 2 octets for each begin after 7 more.
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
      update beacon set room_state = (
        select substring(room_state for 37) || '\\x08'
          || string_agg(substring(room_state from 39 + 10 * n for 10), '' order by n)
          || substring(room_state from 39 + 10 * devices for 7)
          || string_agg(substring(room_state from 46 + 10 * devices + 2 * n for 2), '' order by n)
          || substring(room_state from 46 + 12 * devices for 4)
        from (
          select n, devices from (select get_byte(room_state, 37) as devices) as counted, generate_series(0, devices - 1) as n
          order by (get_byte(room_state, 42 + 10 * n) # 128) desc, get_byte(room_state, 43 + 10 * n) desc, n limit 8) as loudest
        group by devices)
      where octet_length(room_state) > 145 and get_byte(room_state, 0) = 2 and get_byte(room_state, 37) > 8
        and octet_length(room_state) = 49 + 12 * get_byte(room_state, 37);
      """,
    discards: [.rows("room_survey")])
}
