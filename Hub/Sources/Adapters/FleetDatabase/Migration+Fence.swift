extension Migration {
  /// The fence refuses a worker that knows another schema, so that one that is connected during a migration notices.
  static let fence = Migration(
    name: "fence",
    up: """
      drop function fleet_fence(int2[], int8[]);
      create function fleet_fence(queues int2[], epochs int8[], schema int) returns int8 language plpgsql as $$
      declare
        owned int;
        version int := (select max(schema_version.version) from schema_version);
      begin
        if version is distinct from schema then
          raise exception 'the schema changed from % to %', schema, version using errcode = 'HUB02';
        end if;
        perform 1 from unnest(queues, epochs) as mine(queue, epoch) join queue using (queue, epoch)
          order by queue.queue for share of queue;
        get diagnostics owned = row_count;
        if owned < cardinality(queues) then
          raise exception 'another worker owns a queue of this batch' using errcode = 'HUB01';
        end if;
        return (select revision from fleet);
      end $$;
      """,
    down: """
      drop function fleet_fence(int2[], int8[], int);
      create function fleet_fence(queues int2[], epochs int8[]) returns int8 language plpgsql as $$
      declare
        owned int;
      begin
        perform 1 from unnest(queues, epochs) as mine(queue, epoch) join queue using (queue, epoch)
          order by queue.queue for share of queue;
        get diagnostics owned = row_count;
        if owned < cardinality(queues) then
          raise exception 'another worker owns a queue of this batch' using errcode = 'HUB01';
        end if;
        return (select revision from fleet);
      end $$;
      """)
}
