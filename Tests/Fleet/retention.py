"""Data that has expired before the workers start, and what they do with it."""


def fill(hub):
    """Stores a digest that expired an hour ago, and one that expires in an hour."""
    for hours in (23, 26):
        hub.servers.sql(f"call fleet_make_partition('digest', now() - interval '{hours} hours')")
        hub.servers.sql("insert into digest(device_id, journal, sequence, received_at, device_time, body) "
                        f"values (0, gen_random_uuid(), {hours}, now() - interval '{hours} hours', now(), '')")


def check(hub, report):
    kept = hub.servers.sql("select sequence from digest where device_id = 0")
    report.check("the partition of expired digests is dropped, and no other", kept == [["23"]], kept)
    rules = hub.status()["retention"]
    report.check("status shows that each kind of data was checked", len(rules) == 7 and all(
        rule["checked"] is not None and rule["checked"] <= 130 and rule["failure"] is None for rule in rules), rules)
    holders = hub.servers.sql("select count(*) from pg_locks where locktype = 'advisory' and classid = 4711 and objid = 3")
    report.check("at most one worker expires data at a time", int(holders[0][0]) <= 1, holders)
