extension Migration {
  /// Visits, the keys of their pseudonyms, and the identities that were erased. A part of the step "retention".
  ///
  /// The key of visits is in an unlogged table, so that no write-ahead log and no archive of it has a copy.
  static let visits = """
    create table visit(
      written_at timestamptz not null default date_trunc('hour', now()),
      site_id int4 not null,
      room text not null,
      begun_at timestamptz not null,
      seconds int4 not null,
      pseudonym bytea not null) partition by range(written_at);
    create index visit_site on visit(site_id, begun_at);

    create unlogged table visit_key(period timestamptz primary key, inner_pad bytea not null, outer_pad bytea not null);
    create table suppression_key(inner_pad bytea not null, outer_pad bytea not null);
    create unique index suppression_key_one_row on suppression_key((true));
    create table suppression(hash bytea primary key, until timestamptz not null);

    create function fleet_make_pads(out inner_pad bytea, out outer_pad bytea) language sql volatile as $$
      with made as materialized (
        select sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
          || sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) as key)
      select (select string_agg(set_byte('\\x00', 0, get_byte(key, i) # 54), '' order by i) from generate_series(0, 63) i),
        (select string_agg(set_byte('\\x00', 0, get_byte(key, i) # 92), '' order by i) from generate_series(0, 63) i)
      from made $$;
    insert into suppression_key select * from fleet_make_pads();

    create function fleet_hmac(inner_pad bytea, outer_pad bytea, message text) returns bytea language sql immutable
      return sha256(outer_pad || sha256(inner_pad || convert_to(message, 'UTF8')));

    create function fleet_key_period() returns timestamptz language sql stable return
      date_bin((select make_interval(hours => hours) from retention where kind = 'visit_key'), now(), timestamptz '2000-01-03 00:00+00');

    create function fleet_pseudonym(identity text) returns bytea language plpgsql volatile as $$
    declare
      present timestamptz := fleet_key_period();
      key visit_key;
    begin
      select * into key from visit_key where period = present;
      if not found then
        insert into visit_key select present, * from fleet_make_pads() on conflict do nothing;
        select * into key from visit_key where period = present;
      end if;
      return substring(fleet_hmac(key.inner_pad, key.outer_pad, identity) for 16);
    end $$;

    create function fleet_forget_keys() returns bool language plpgsql volatile as $$
    declare
      kept visit_key[];
    begin
      if not exists (select from visit_key where period <> fleet_key_period()) then
        return false;
      end if;
      lock table visit_key in access exclusive mode;
      kept := array(select k from visit_key k where period = fleet_key_period());
      truncate visit_key;
      insert into visit_key select * from unnest(kept);
      return true;
    end $$;

    create function fleet_tag(uuid uuid, major int4, minor int4) returns text language sql immutable
      return uuid::text || '/' || major || '/' || minor;

    create function fleet_suppression(identity text) returns bytea language sql stable return
      (select fleet_hmac(inner_pad, outer_pad, identity) from suppression_key);

    create function fleet_is_suppressed(identity text) returns bool language sql stable return
      exists (select from suppression) and exists (select from suppression where hash = fleet_suppression(identity) and until > now());

    create function fleet_require(is_met bool) returns bool language plpgsql as $$
    begin
      if not is_met then
        raise exception 'a tag of this batch was erased or has expired' using errcode = 'HUB03';
      end if;
      return true;
    end $$;

    call fleet_make_partitions();
    """

  static let noVisits = """
    drop function fleet_require, fleet_is_suppressed, fleet_suppression, fleet_tag, fleet_forget_keys, fleet_pseudonym, fleet_key_period,
      fleet_hmac, fleet_make_pads;
    drop table suppression, suppression_key, visit_key, visit;
    drop procedure fleet_make_partitions;
    drop procedure fleet_make_partition;
    drop function fleet_partitions;
    drop index audit_time, audit_subject;
    drop table retention;
    """
}
