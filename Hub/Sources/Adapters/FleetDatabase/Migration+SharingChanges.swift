extension Migration {
  /// The changes of shares, which lock the shares of their site first.
  ///
  /// `fleet_share_from` takes the messages of a worker's batch. It checks the sender of each: a device changes its own shares, and answers
  /// those that were offered to it.
  static let shareChanges = """
    create function fleet_lock_shares(sites int4[]) returns void language sql as $$
      select pg_advisory_xact_lock(4712, site) from (select distinct site from unnest(sites) as u(site) order by site) s
    $$;

    create function fleet_begin_share(id uuid, site int4, device int4, beacon int4, person int4, actor text, purpose text, span interval, names text[])
      returns bool language plpgsql as $$
    begin
      -- An offer that comes late must not bring back a share that has ended.
      if exists (select from share_log l where l.share_id = id) or span <= interval '0'
        or (select count(*) from share s where s.device_id = device or s.person_id = person) >= 8
        or (select count(*) from share_log l where l.site_id = site and l.actor = fleet_begin_share.actor and l.action = 'offer'
          and l.made_at > now() - interval '1 hour') >= 60 then
        return false;
      end if;
      insert into share(share_id, site_id, device_id, beacon_id, person_id, purpose, ends_at)
        values (id, site, device, beacon, person, purpose, now() + least(span, interval '24 hours'));
      insert into share_recipient(share_id, name, person_id, device_id, role)
        select id, n.name,
          (select p.person_id from person p left join person_role m on m.person_id = p.person_id and m.site_id = site
            where lower(p.name) = lower(n.name) and (p.is_administrator or m.role is not null)),
          (select d.device_id from device d where d.site_id = site and n.name = 'device:' || d.name and d.revoked_at is null
            and d.device_id is distinct from device),
          case when n.name in ('role:viewer', 'role:operator', 'role:owner') then substr(n.name, 6) end
        from (select distinct unnest(names) as name) n limit 8;
      insert into share_log(site_id, share_id, actor, action, detail)
        values (site, id, actor, 'offer', concat(purpose, ': ', array_to_string(names, ', ')));
      perform fleet_tell_devices(fleet_share_devices(id));
      return true;
    end $$;

    create function fleet_end_share(id uuid, actor text, detail text) returns void language sql as $$
      insert into share_log(site_id, share_id, actor, action, detail) select site_id, share_id, $2, 'end', $3 from share where share_id = $1;
      delete from share where share_id = $1
    $$;

    create function fleet_note_deleted_share() returns trigger language plpgsql as $$
    begin
      insert into share_deleted select unnest(fleet_share_devices(old.share_id)) on conflict do nothing;
      return old;
    end $$;
    create trigger share_note before delete on share for each row execute function fleet_note_deleted_share();
    create function fleet_tell_deleted_shares() returns trigger language plpgsql as $$
    declare
      told int4[];
    begin
      with gone as (delete from share_deleted returning device_id)
        select coalesce(array_agg(d.device_id order by d.device_id), '{}') into told from gone join device d using (device_id);
      perform fleet_tell_devices(told);
      return null;
    end $$;
    create trigger share_tell after delete on share execute function fleet_tell_deleted_shares();

    create function fleet_answer_share(id uuid, person int4, device int4, actor text, accepts bool) returns bool language plpgsql as $$
    begin
      if not exists (select from share_audience u join share s using (share_id) where u.share_id = id and s.ends_at > now()
        and (u.person_id = person or u.device_id = device)) then
        return false;
      end if;
      if exists (select from share_answer a where a.share_id = id and (a.person_id = person or a.device_id = device) and a.accepted = accepts) then
        return true;
      end if;
      delete from share_answer a where a.share_id = id and (a.person_id = person or a.device_id = device);
      insert into share_answer(share_id, person_id, device_id, accepted) values (id, person, device, accepts);
      -- Without a reader there is no position to keep.
      update share s set position = null, position_at = null where s.share_id = id and not exists (select from share_reader r where r.share_id = id);
      insert into share_log(site_id, share_id, actor, action)
        select site_id, id, fleet_answer_share.actor, case when accepts then 'accept' else 'decline' end from share where share_id = id;
      perform fleet_tell_devices(fleet_share_devices(id));
      return true;
    end $$;

    create function fleet_note_readers(ids uuid[], people int4[]) returns void language sql as $$
      with readers as (
        update share_answer a set read_at = now() from share_reader r
        where a.share_id = any(ids) and r.share_id = a.share_id and (a.device_id = r.device_id or a.person_id = r.person_id and r.person_id = any(people))
          and (a.read_at is null or a.read_at < now() - interval '10 minutes')
        returning a.share_id, a.person_id, a.device_id)
      insert into share_log(site_id, share_id, actor, action)
        select s.site_id, s.share_id, coalesce('device:' || d.name, p.name), 'read' from readers r join share s using (share_id)
        left join device d on d.device_id = r.device_id left join person p on p.person_id = r.person_id
        where fleet_share_place(s) is not null
    $$;

    create function fleet_move_share(id uuid, device int4, lateness int8, journal uuid, number int8, place jsonb) returns void language plpgsql as $$
    begin
      update share s set position = place, position_at = now() - make_interval(secs => lateness / 1000.0), position_journal = journal, position_number = number
        where s.share_id = id and s.device_id = device and exists (select from share_reader r where r.share_id = id)
          and (position_journal is distinct from journal or position_number < number);
      if found then
        perform fleet_note_readers(array[id], '{}');
        perform fleet_tell_devices((select coalesce(array_agg(distinct r.device_id), '{}') from share_reader r
          where r.share_id = id and r.device_id is not null));
      end if;
    end $$;

    create function fleet_share_from(device int4, lateness int8, journal uuid, number int8, message jsonb) returns void language plpgsql as $$
    declare
      id uuid := (message ->> 'id')::uuid;
      sender record;
    begin
      select d.site_id, 'device:' || d.name as name into sender from device d where d.device_id = device;
      case message ->> 'kind'
        when 'offer' then perform fleet_begin_share(id, sender.site_id, device, null, null, sender.name, message ->> 'purpose',
          make_interval(secs => ((message ->> 'remaining')::int8 - lateness) / 1000.0),
          array(select jsonb_array_elements(message -> 'recipients') ->> 'name'));
        when 'end' then
          if exists (select from share s where s.share_id = id and s.device_id = device) then
            perform fleet_end_share(id, sender.name, 'by the device');
          elsif not exists (select from share s where s.share_id = id) then
            perform fleet_tell_device(device);
          end if;
        when 'answer' then perform fleet_answer_share(id, null, device, sender.name, (message ->> 'accepted')::bool);
        when 'position' then perform fleet_move_share(id, device, lateness, journal, number, nullif(message -> 'position', 'null'));
        else perform fleet_tell_device(device);
      end case;
    end $$;

    create function fleet_shares_from(devices int4[], latenesses int8[], journals uuid[], numbers int8[], messages text[]) returns void language plpgsql as $$
    declare
      row record;
    begin
      perform fleet_lock_shares(array(select site_id from device where device_id = any(devices)));
      for row in select * from unnest(devices, latenesses, journals, numbers, messages) with ordinality as u(d, l, j, n, m, place) order by place loop
        perform fleet_share_from(row.d, row.l, row.j, row.n, row.m::jsonb);
      end loop;
    end $$;

    create function fleet_tags_moved(beacons int4[]) returns void language plpgsql as $$
    declare
      ids uuid[] := array(select share_id from share where beacon_id = any(beacons) and ends_at > now());
    begin
      if cardinality(ids) > 0 then
        perform fleet_note_readers(ids, '{}');
        perform fleet_tell_devices(array(select distinct device_id from share_reader where share_id = any(ids) and device_id is not null order by 1));
      end if;
    end $$;

    """

  /// The function that workers call every two seconds.
  static let shareSweep = """
    create function fleet_sweep_shares() returns void language plpgsql as $$
    declare
      row record;
    begin
      for row in select s.share_id, s.site_id, case when s.ends_at <= now() then 'the time is over' else 'the owner is gone' end as detail
        from share s left join device d on d.device_id = s.device_id
        where s.ends_at <= now() or d.revoked_at is not null or s.beacon_id is not null and not exists (
          select from beacon_owner o where o.beacon_id = s.beacon_id and o.person_id = s.person_id)
        order by s.site_id, s.share_id loop
        if pg_try_advisory_xact_lock(4712, row.site_id) then
          perform fleet_end_share(row.share_id, 'hub', row.detail);
        end if;
      end loop;
      delete from share_log l where l.made_at < now() - interval '90 days';
    end $$;

    """

  static let dropShareChanges = """
    drop trigger share_tell on share;
    drop trigger share_note on share;
    drop function fleet_tell_deleted_shares(), fleet_note_deleted_share(), fleet_sweep_shares(), fleet_tags_moved(int4[]), fleet_shares_from(int4[], int8[], uuid[], int8[], text[]),
      fleet_share_from(int4, int8, uuid, int8, jsonb), fleet_move_share(uuid, int4, int8, uuid, int8, jsonb), fleet_note_readers(uuid[], int4[]),
      fleet_answer_share(uuid, int4, int4, text, bool), fleet_end_share(uuid, text, text),
      fleet_begin_share(uuid, int4, int4, int4, int4, text, text, interval, text[]), fleet_lock_shares(int4[]);

    """
}
