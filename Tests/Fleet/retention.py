"""Tests that workers remove data that has expired before they start."""


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
    report.check("status shows that each kind of data was checked", len(rules) == 8 and all(
        rule["checked"] is not None and rule["checked"] <= 130 and rule["failure"] is None for rule in rules), rules)
    holders = hub.servers.sql("select count(*) from pg_locks where locktype = 'advisory' and classid = 4711 and objid = 3")
    report.check("at most one worker expires data at a time", int(holders[0][0]) <= 1, holders)


def check_erasure(hub, report, device):
    """Erases a device that has published, while workers run."""
    before = hub.owners()
    printed = hub.hub("admin", "erase", "device", device).stdout
    site, name = device.split(".")
    left = hub.servers.sql(f"select count(*) from device join site using (site_id) where site.name = '{site}' and device.name = '{name}'")
    report.check("an erased device is gone, and its digests are", "digest: " in printed and left == [["0"]], printed.strip().replace("\n", ", "))
    entry = hub.hub("admin", "audit", "--last", "1").stdout
    report.check("the entry of an erasure has no identity", "erase device" in entry and device not in entry, entry.strip())
    report.check("the workers continue after it", before == hub.owners() and all(hub.workers[name].poll() is None for name in ("worker1", "worker2")))
