extension Migration {
  /// The notices that devices get: all that a device may know of shares at this moment, as JSON (Docs/fleet/messages.md).
  static let shareNotices = """
    create function fleet_share_owner(s share) returns text language sql stable as $$
      select coalesce((select 'device:' || d.name from device d where d.device_id = s.device_id),
        (select p.name from person p where p.person_id = s.person_id))
    $$;

    create function fleet_share_states(s share) returns json language sql stable as $$
      select coalesce(json_agg(json_build_object('name', r.name, 'state', case
          when coalesce(r.person_id, r.device_id) is null and r.role is null then 'unknown'
          when exists (select from share_audience u join share_reader a using (share_id)
            where u.share_id = r.share_id and u.name = r.name and (a.person_id = u.person_id or a.device_id = u.device_id)) then 'accepted'
          when r.role is null and exists (select from share_answer a where a.share_id = r.share_id and not a.accepted
            and (a.person_id = r.person_id or a.device_id = r.device_id)) then 'declined'
          else 'offered' end) order by r.name), '[]')
      from share_recipient r where r.share_id = s.share_id
    $$;

    create function fleet_share_tag_name(s share) returns text language sql stable as $$
      select coalesce(n.name, concat_ws('/', b.uuid, b.major, b.minor)) from beacon b left join beacon_name n using (beacon_id)
      where b.beacon_id = s.beacon_id
    $$;

    create function fleet_share_place(s share) returns jsonb language sql stable as $$
      select case when s.beacon_id is not null
        then (select jsonb_build_object('room', left(b.room, 64), 'time', b.last_seen) from beacon b
          where b.beacon_id = s.beacon_id and b.room is not null)
        when s.position_at is not null
        then coalesce(s.position, '{}') || jsonb_build_object('time', (extract(epoch from s.position_at) * 1000)::int8)
          || coalesce((select jsonb_build_object('room', left(d.room, 64)) from device d where d.device_id = s.device_id and d.room is not null), '{}')
        end
    $$;

    create function fleet_sharing_notice(device int4, most int) returns text language sql stable as $$
      select json_build_object('v', 1,
        'shares', (select coalesce(json_agg(json_build_object('id', s.share_id, 'recipients', fleet_share_states(s))), '[]')
          from share s where s.device_id = $1 and s.ends_at > now()),
        'offers', (select coalesce(json_agg(o.offer), '[]') from (
          select jsonb_build_object('id', s.share_id, 'owner', fleet_share_owner(s), 'tag', fleet_share_tag_name(s), 'purpose', s.purpose,
            'ends', (extract(epoch from s.ends_at) * 1000)::int8)
            || case when r.share_id is null then '{}' else coalesce(fleet_share_place(s), '{}') end as offer
          from share s join (select distinct share_id from share_audience where device_id = $1) u using (share_id)
          left join share_reader r on r.share_id = s.share_id and r.device_id = $1
          left join share_answer a on a.share_id = s.share_id and a.device_id = $1
          where s.ends_at > now() and a.accepted is distinct from false order by s.begun_at limit $2) o))::text
    $$;

    create function fleet_tell_device(told int4) returns void language plpgsql as $$
    declare
      notice text := fleet_sharing_notice(told, 24);
    begin
      -- The limit of a message to a device.
      if octet_length(notice) > 28000 then
        notice := fleet_sharing_notice(told, 8);
      end if;
      perform fleet_send(told, 2::int2, convert_to(notice, 'UTF8'), true);
    end $$;

    create function fleet_share_devices(share uuid) returns int4[] language sql stable as $$
      select coalesce(array_agg(device_id order by device_id), '{}') from (
        select device_id from share where share_id = $1 and device_id is not null
        union select device_id from share_recipient where share_id = $1 and device_id is not null) d
    $$;

    create function fleet_tell_devices(told int4[]) returns void language plpgsql as $$
    declare
      one int4;
    begin
      foreach one in array told loop
        perform fleet_tell_device(one);
      end loop;
    end $$;

    """

  static let dropShareNotices = """
    drop function fleet_tell_devices(int4[]), fleet_share_devices(uuid), fleet_tell_device(int4), fleet_sharing_notice(int4, int),
      fleet_share_place(share), fleet_share_tag_name(share), fleet_share_states(share), fleet_share_owner(share);

    """
}
