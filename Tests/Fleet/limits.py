"""A site with too many beacons, and a device with too many numberings of digests. Each gives its oldest rows to new ones."""

BEACONS, NUMBERINGS = 20_000, 1000
# The refused messages that are kept of a device, and in all.
SET_ASIDE, ALL_SET_ASIDE = 1000, 20_000
ADDED = "(select device_id from device join site using (site_id) where site.name = 's3' and device.name = 'd3')"
SITE = "(select site_id from site where name = 's5')"


def fill(hub):
    """Fills the tables before the devices s3.d3 and s5.d5 publish."""
    hub.servers.sql(f"insert into beacon(site_id, uuid, major, minor) select {SITE}, gen_random_uuid(), 1, 1 from generate_series(1, {BEACONS})")
    hub.servers.sql("insert into beacon_name select min(beacon_id), 'old tag' from beacon")
    hub.servers.sql(f"insert into stream select {ADDED}, 1, gen_random_uuid(), 1, 1, 1, '{{}}', 0, 0, 0, now() - interval '1 day' "
                    f"from generate_series(1, {NUMBERINGS})")


def check(hub, report):
    beacons, seen = hub.servers.sql(f"select count(*), count(*) filter (where sightings > 0) from beacon where site_id = {SITE}")[0]
    named = hub.servers.sql("select count(*) from beacon_name")[0][0]
    report.check("beacons of a full site replace silent ones without a name", int(beacons) == BEACONS and int(seen) >= 20 and named == "1",
                 f"{beacons} beacons, {seen} of them seen, {named} named")
    total, new = hub.servers.sql(f"select count(*), count(*) filter (where changed_at > now() - interval '1 hour') from stream where stream = 1 "
                                 f"and device_id = {ADDED}")[0]
    report.check("a numbering of digests replaces the oldest one", int(total) == NUMBERINGS and int(new) > 0, f"{total}, {new} of them new")


def check_set_aside(hub, report):
    rows = hub.servers.sql("select s.name || '.' || d.name, reason, sequence, encode(octets, 'escape') from refused_event join device d using (device_id) "
                           "join site s using (site_id) order by refused_id")
    wanted = [["s0.d0", "rejected", "1", "not JSON"], ["s0.d0", "rejected", "1", "{}"], ["s0.d0", "future", str(2**40), "{}"],
              ["s0.d0", "rejected", "2", '{"event":"x","n":1e999999}'], ["s4.d4", "conflict", "1", '{"event":"b"}']]
    report.check("refused events are set aside, and so is one of two with one number", all(row in rows for row in wanted), rows)
    overs = [line for name in ("worker1", "worker2") for line in (hub.logs / f"{name}.log").read_text().splitlines()
             if "starts over" in line and ("(22" in line or "JSON" in line)]
    report.check("a refused event ends no session", overs == [], overs)
    hub.servers.sql("insert into refused_event(device_id, reason, topic, detail, size, octets) select 1000000, 'x', '', '', 0, '' "
                    f"from generate_series(1, {SET_ASIDE + 100})")
    one = hub.servers.sql("select count(*) from refused_event where device_id = 1000000")
    hub.servers.sql("insert into refused_event(device_id, reason, topic, detail, size, octets) select 1000000 + g % 30, 'x', '', '', 0, '' "
                    f"from generate_series(1, {ALL_SET_ASIDE + 5000}) g")
    most = hub.servers.sql("select max(c) from (select count(*) as c from refused_event group by device_id) q")
    total = hub.servers.sql("select count(*) from refused_event")
    report.check("the refused messages that are kept are limited", one == [[str(SET_ASIDE)]] and total == [[str(ALL_SET_ASIDE)]] and
                 int(most[0][0]) <= SET_ASIDE, f"{one}, {total}, {most}")
