"""A site with too many beacons, and a device with too many numberings of digests. Each gives its oldest rows to new ones."""

BEACONS, NUMBERINGS = 20_000, 1000
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
