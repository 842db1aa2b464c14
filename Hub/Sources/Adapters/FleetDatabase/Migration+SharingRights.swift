extension Migration {
  /// The rights of both sides at each moment.
  ///
  /// A share whose owner may no longer share is over at once, and an acceptance ends with the right to read: a role that is granted again
  /// needs another answer. The devices of a share get a notice whenever an acceptance goes, so that none sends its position without a
  /// reader.
  static let sharingRights = Migration(
    name: "sharing rights",
    up: """
      create view share_lasting as
        select s.share_id, s.site_id, s.person_id from share s left join device d on d.device_id = s.device_id
          left join person p on p.person_id = s.person_id
          left join person_role m on m.person_id = s.person_id and m.site_id = s.site_id
          where s.ends_at > now() and d.revoked_at is null and (s.beacon_id is null or (p.is_administrator or m.role is not null)
            and exists (select from beacon_owner o where o.beacon_id = s.beacon_id and o.person_id = s.person_id));
      create or replace view share_audience as
        select s.share_id, r.name, p.person_id, null::int4 as device_id from share_lasting s join share_recipient r using (share_id)
          join person p on r.person_id = p.person_id or r.role is not null
          left join person_role m on m.person_id = p.person_id and m.site_id = s.site_id
          where p.person_id is distinct from s.person_id and case when r.role is null then p.is_administrator or m.role is not null
            when p.is_administrator then true
            else array_position('{viewer,operator,owner}', m.role) >= array_position('{viewer,operator,owner}', r.role) end
        union all
        select s.share_id, r.name, null, d.device_id from share_lasting s join share_recipient r using (share_id)
          join device d on d.device_id = r.device_id and d.site_id = s.site_id and d.revoked_at is null;
      create or replace view share_reader as
        select distinct u.share_id, u.person_id, u.device_id from share_audience u
          join share_answer a on a.share_id = u.share_id and a.accepted and (a.person_id = u.person_id or a.device_id = u.device_id);
      create view share_lapsed as
        select a.share_id, l.site_id, a.person_id, a.device_id from share_answer a join share_lasting l using (share_id)
          where a.accepted and not exists (select from share_audience u
            where u.share_id = a.share_id and (u.person_id = a.person_id or u.device_id = a.device_id));

      create function fleet_withdraw_answers() returns trigger language plpgsql as $$
      begin
        update share s set position = null, position_at = null from gone g
          where g.accepted and s.share_id = g.share_id and not exists (select from share_reader r where r.share_id = s.share_id);
        perform fleet_tell_devices(array(select distinct d.device_id from gone g cross join unnest(fleet_share_devices(g.share_id)) as u(told)
          join device d on d.device_id = u.told where g.accepted and d.revoked_at is null order by 1));
        return null;
      end $$;
      create trigger share_answer_withdraw after delete on share_answer referencing old table as gone
        for each statement execute function fleet_withdraw_answers();

      create or replace function fleet_sweep_shares() returns void language plpgsql as $$
      declare
        row record;
      begin
        for row in select s.share_id, s.site_id, case when s.ends_at <= now() then 'the time is over' else 'the owner is gone' end as detail
          from share s where not exists (select from share_lasting l where l.share_id = s.share_id) order by s.site_id, s.share_id loop
          if pg_try_advisory_xact_lock(4712, row.site_id) then
            perform fleet_end_share(row.share_id, 'hub', row.detail);
          end if;
        end loop;
        for row in select site_id from share_lapsed union select site_id from share s
          where s.position_at is not null and not exists (select from share_reader r where r.share_id = s.share_id) order by 1 loop
          if pg_try_advisory_xact_lock(4712, row.site_id) then
            with gone as (
              delete from share_answer a using share_lapsed l where l.site_id = row.site_id and a.share_id = l.share_id
                and (a.person_id = l.person_id or a.device_id = l.device_id) returning a.share_id, a.person_id, a.device_id)
            insert into share_log(site_id, share_id, actor, action, detail)
              select row.site_id, g.share_id, coalesce('device:' || d.name, p.name), 'decline', 'no longer a recipient' from gone g
              left join device d on d.device_id = g.device_id left join person p on p.person_id = g.person_id;
            update share s set position = null, position_at = null where s.site_id = row.site_id and s.position_at is not null
              and not exists (select from share_reader r where r.share_id = s.share_id);
          end if;
        end loop;
        delete from share_log l where l.made_at < now() - interval '90 days';
      end $$;
      """,
    down: """
      drop trigger share_answer_withdraw on share_answer;
      drop function fleet_withdraw_answers(), fleet_sweep_shares();
      drop view share_lapsed, share_reader, share_audience, share_lasting;

      """ + shareAudience + shareSweep)
}
