extension Migration {
  /// The times in which the database or the broker took nothing.
  ///
  /// A full database stores no row about itself: a worker that notices it holds an advisory lock, whose number is the time, until it is
  /// over.
  static let outages = Migration(
    name: "outages",
    up: """
      create table outage(
        outage_id int8 primary key generated always as identity,
        part text not null check (part in ('broker', 'database')),
        cause text not null check (octet_length(cause) <= 200),
        began_at timestamptz not null,
        ended_at timestamptz);
      create unique index outage_open on outage(part) where ended_at is null;
      create view outage_overview as
        select distinct on (part) part, cause, began_at, ended_at from (
          select part, cause, began_at, ended_at from outage where ended_at is null or ended_at > now() - interval '1 day'
          union all
          select 'database', 'disk', to_timestamp(1577836800 + min(objid::int8)), null from pg_locks
          where locktype = 'advisory' and classid = 4712 and objsubid = 2 and granted
            and database = (select oid from pg_database where datname = current_database())
          having count(*) > 0) o
        order by part, ended_at desc nulls first, began_at;
      """,
    down: """
      drop view outage_overview;
      drop table outage;
      """,
    discards: [.rows("outage")])
}
