"""Figures of a soak, read from the database and from the system."""
import dataclasses
import time

# The private PostgreSQL notes the time of each commit.
COMMITTED = "extract(epoch from pg_xact_commit_timestamp(g.xmin))::float8"


@dataclasses.dataclass
class Delays:
    """The times from the clock of a device to the committed row, in milliseconds; None without rows."""

    rows: int
    in_time: int
    median: float | None
    high: float | None
    longest: float | None

    def __str__(self):
        return "no rows" if self.high is None else (
            f"median {self.median:.0f}, 99th percentile {self.high:.0f}, at most {self.longest:.0f} ms, {self.rows} digests")


def delays(hub, begin, end, without=""):
    """Returns the delays of the digests that devices made between two times, and how many were committed before the end.

    The digests of the site `without` do not count."""
    row = hub.servers.sql(f"""
        with made as materialized (
          select {COMMITTED} as committed, extract(epoch from g.device_time)::float8 as time
          from digest g join device using (device_id) join site s using (site_id)
          where g.device_time >= to_timestamp({begin}) and g.device_time < to_timestamp({end}) and s.name <> '{without}'),
        places as (select percentile_disc(array[0.5, 0.99, 1]) within group (order by (committed - time) * 1000) as place from made)
        select (select count(*) from made), (select count(*) from made where committed <= {end}), place[1], place[2], place[3] from places""")[0]
    return Delays(int(row[0]), int(row[1]), *(float(value) if value else None for value in row[2:]))


def sightings(hub):
    return int(hub.servers.sql("select coalesce(sum(sightings), 0) from beacon")[0][0])


class Usage:
    """The CPU time of each part, and the counted sightings, from now on."""

    def __init__(self, hub):
        self.hub = hub
        self.cpu, self.began, self.sightings = hub.cpu(), time.monotonic(), sightings(hub)

    def take(self):
        """Returns the sightings, the microseconds of workers and PostgreSQL for each, and a line with the shares of all parts."""
        took = time.monotonic() - self.began
        seconds = {name: value - self.cpu.get(name, 0) for name, value in self.hub.cpu().items()}
        count = sightings(self.hub) - self.sightings
        workers = sum(value for name, value in seconds.items() if name.startswith("worker"))
        database = seconds.get("postgresql", 0)
        line = "CPU in % of a core: " + ", ".join(f"{name} {value / took * 100:.1f}" for name, value in seconds.items())
        return count, *((workers * 1e6 / count, database * 1e6 / count) if count else (None, None)), line


def fresh_rows(hub, since):
    """Returns the seconds from a time to the first committed row of each queue with a later digest; None without one."""
    rows = hub.servers.sql(f"""
        select s.partition % (select queues from fleet), min(g.committed) - {since} from site s join device d using (site_id)
        left join lateral (
          select min({COMMITTED}) as committed from digest g
          where g.device_id = d.device_id and g.received_at > to_timestamp({since}) and g.device_time > to_timestamp({since})) g on true
        group by 1 order by 1""")
    return {int(queue): float(seconds) if seconds else None for queue, seconds in rows}


def wait_for_fresh_rows(hub, since, seconds):
    """Returns the same when each queue has one, or after this number of seconds."""
    hub.wait_for(seconds, lambda: None not in fresh_rows(hub, since).values())
    return fresh_rows(hub, since)


def wait_for_shares(hub, names, seconds):
    """Returns the seconds until these workers own equal shares of the queues; None if that takes longer."""
    pids = sorted(str(hub.workers[name].pid) for name in names)
    return hub.wait_for(seconds, lambda: hub.owners() == {pid: 8 // len(pids) for pid in pids})


def settings_off(hub):
    """Returns the settings of the server that are off although a crash of the machine requires them."""
    names = ("fsync", "synchronous_commit", "full_page_writes")
    return [name for name in names if hub.servers.sql(f"show {name}") != [["on"]]]
