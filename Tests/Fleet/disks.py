"""Full disks of the database and of the broker, while devices publish."""
import pathlib
import re
import shutil
import subprocess
import time

POSTGRESQL = pathlib.Path("/var/lib/postgresql")


def outage(hub, part):
    """Returns the outage of a part in the status; None without one."""
    return next((outage for outage in hub.status()["outages"] if outage["part"] == part), None)


def is_shown(hub, found):
    """Returns whether the table has the text of an outage, whose times advance."""
    def words(text):
        return re.sub(r"\d+\w", "_", " ".join(text.split()))
    return words(found["text"]) in words(hub.hub("status").stdout)


def check_pause(hub, report, name, stop, resume, meanwhile=lambda: None):
    """Checks that nothing is stored between two commands, and all of it later."""
    count = "select count(*) from digest"
    stop()
    full = hub.servers.sql(count)
    # Devices publish a digest a second, and none may be stored.
    time.sleep(1)
    meanwhile()
    stuck = hub.servers.sql(count)
    resume()
    took = hub.wait_for(15, lambda: hub.servers.sql(count) != full)
    report.check(f"{name}: nothing is stored, and all of it later", stuck == full and took is not None, f"after {took or 99:.1f} s")


def check_waiting(hub, report):
    """Status shows that no worker has a queue while the database refuses to write, and the waiting messages."""
    def is_waiting():
        queues = hub.status()["queues"]
        return all(not queue["owned"] for queue in queues) and any((queue["backlog"] or 0) > 0 for queue in queues)
    took = hub.wait_for(20, is_waiting)
    report.check("status shows queues without workers, and the messages that wait", took is not None, f"after {took:.1f} s" if took else hub.status()["queues"])


def check_silent_queues(hub, report):
    """Status shows for how long no queue has had a message, and that none waits, while the broker takes none."""
    def are_silent():
        return all((queue["newest"] or 0) >= 3 and queue["backlog"] == 0 for queue in hub.status()["queues"])
    took = hub.wait_for(10, are_silent)
    report.check("status shows queues without new messages", took is not None, f"after {took:.1f} s" if took else hub.status()["queues"])


def check_outage(hub, report, part, words):
    """Status names the cause, its start and the remedy in both forms."""
    found = outage(hub, part)
    report.check(f"status names the full disk of the {part}, since when, and what to do", found is not None and found["cause"] == "disk" and found["ended"] is None
                 and 0 <= found["since"] < 60 and all(word in found["text"] for word in words) and is_shown(hub, found), found)


def check_end(hub, report, part):
    """Status shows that an outage is over, and for how long it lasted."""
    took = hub.wait_for(15, lambda: (outage(hub, part) or {}).get("ended") is not None)
    found = outage(hub, part)
    # Status itself finds that the broker takes messages again; a worker notes it.
    noted = hub.wait_for(15, lambda: hub.servers.sql(f"select count(*) from outage where part = '{part}' and ended_at > began_at") == [["1"]])
    report.check(f"status shows that the disk of the {part} is no longer full", took is not None and noted is not None and found["since"] > found["ended"]
                 and is_shown(hub, found), found)


def fill_database(hub, report):
    """Makes the disk of the database full, or lets the database refuse to write if there is no disk for that."""
    def fill():
        hub.servers.fill_disk()
        # Pages that exist take some messages. Each worker that has noticed the full disk has a lock, and tests writes before it reads further messages.
        locks = "select count(*) from pg_locks where locktype = 'advisory' and classid = 4712"
        hub.wait_for(20, lambda: hub.servers.sql(locks) == [["2"]])

    def look():
        check_outage(hub, report, "database", ["messages wait at the broker", "free space on that disk"])
        check_waiting(hub, report)

    def refuse():
        hub.servers.sql("alter system set default_transaction_read_only = on")
        hub.servers.sql("select pg_reload_conf()")
        # Messages that are on their way are stored.
        time.sleep(2)

    def permit():
        hub.servers.sql("alter system reset default_transaction_read_only")
        hub.servers.sql("select pg_reload_conf()")

    if hub.servers.disk_refusal:
        report.say(f"no full disk of the database: {hub.servers.disk_refusal}")
        return check_pause(hub, report, "a database that cannot write", refuse, permit, lambda: check_waiting(hub, report))
    check_pause(hub, report, "a full disk of the database", fill, hub.servers.grow_disk, look)
    check_end(hub, report, "database")
    logs = [(hub.logs / f"{name}.log").read_text() for name in ("worker1", "worker2")]
    report.check("the workers log that the disk was full", all("(53100); starts over" in log and "its disk was full for" in log for log in logs))


def fill_broker(hub, report):
    """Raises the disk alarm of the broker, as a full disk does."""
    def fill():
        hub.servers.rabbitmqctl("set_disk_free_limit", "100000GB")
        # Messages that are on their way are stored.
        time.sleep(2)

    def look():
        check_silent_queues(hub, report)
        check_outage(hub, report, "broker", ["devices keep their messages", "free space on the disk of each node"])

    check_pause(hub, report, "a broker with a full disk", fill, lambda: hub.servers.rabbitmqctl("set_disk_free_limit", "500MB"), look)
    check_end(hub, report, "broker")


def check_without_worker(hub, report):
    """Status itself finds a full disk of the database that no worker has noticed."""
    if hub.servers.disk_refusal:
        return
    hub.servers.fill_disk()
    full = hub.hub("status", check=False, stderr=subprocess.PIPE)
    # A database without this file writes it for each connection, and refuses the connection if it cannot.
    for file in hub.servers.disk.folder.glob("*/*/pg_internal.init"):
        file.unlink()
    hub.servers.disk.fill()
    refused = hub.hub("status", check=False, stderr=subprocess.PIPE)
    hub.servers.grow_disk()
    text = "the disk of the database is full: nothing is stored, and messages wait at the broker"
    report.check("status finds a full disk of the database without a worker", full.returncode == 0 and text in " ".join(full.stdout.split())
                 and hub.status()["outages"] == [], full.stderr)
    report.check("status names the full disk of a database that refuses connections", refused.returncode == 1
                 and f"could not write init file; {text}" in refused.stderr, refused.stderr)


def check_stopped_database(hub, report):
    """A database whose disk has no space for its log stops. Status then finds the full disk of this machine."""
    if hub.servers.disk_refusal or not POSTGRESQL.is_dir() or not shutil.which("unshare"):
        return report.say(f"no full {POSTGRESQL}: {hub.servers.disk_refusal or 'there is no such folder'}")
    status = [hub.programs / "beaconmon-hub", "status", "--database", "host=/nonexistent dbname=fleet"]
    whole = subprocess.run(status, env=hub.environment, capture_output=True, text=True)
    # Only this process sees the small disk.
    full = subprocess.run(["unshare", "-m", "sh", "-c", f'mount -t tmpfs -o size=64k tmpfs {POSTGRESQL} && exec "$@"', "sh", *status],
                          env=hub.environment, capture_output=True, text=True)
    remedy = f"its disk is full: {POSTGRESQL} has 0MB free; free space there, and start the server again"
    report.check("status names the full disk of this machine if the database does not answer", whole.returncode == full.returncode == 1
                 and "disk" not in whole.stderr and full.stderr.strip().endswith(remedy), full.stderr.strip())


def check(hub, report):
    check_stopped_database(hub, report)
    fill_database(hub, report)

    def change_schema():
        hub.servers.sql("insert into schema_version values (99, 'later')")
        # Messages that are on their way are stored.
        time.sleep(2)

    check_pause(hub, report, "a connected worker of another schema", change_schema, lambda: hub.servers.sql("delete from schema_version where version = 99"))
    fill_broker(hub, report)
