"""Faults of a fleet under load.

Each returns when its part is back, or when a stopped worker is due for takeover: then it returns a function that lets the worker continue.
"""
import contextlib
import os
import random
import signal
import subprocess
import time

# A broker gives up a worker after two heartbeats, in seconds.
HEARTBEATS = 8
# The shortest stop of a worker in seconds.
STOP = 15
# The longest time in seconds for which the log of the database has no space.
FULL = 30


def kill_worker(hub, chance):
    name = chance.choice(["worker1", "worker2"])
    hub.workers[name].kill()
    hub.workers[name].wait()
    # The load goes on with one worker for a moment.
    time.sleep(chance.uniform(0, 2))
    hub.start_worker(name)


def stop_worker(hub, chance):
    process = hub.workers[chance.choice(["worker1", "worker2"])]
    # A worker that is behind has messages that it has read and not stored. Later it tries to store them, and the epochs have to refuse it.
    process.send_signal(signal.SIGSTOP)
    # Messages of a second or more wait for the worker.
    time.sleep(chance.uniform(1, 2))
    process.send_signal(signal.SIGCONT)
    # The worker reads some of them, and rarely stores them in this time.
    time.sleep(chance.uniform(0.001, 0.02))
    process.send_signal(signal.SIGSTOP)
    end = time.monotonic() + STOP
    # The broker notices at the end of this time.
    time.sleep(HEARTBEATS)

    def resume():
        # The other worker has continued meanwhile.
        time.sleep(max(0, end - time.monotonic()))
        process.send_signal(signal.SIGCONT)

    return resume


def stop_database(hub, chance):
    hub.servers.stop_postgresql("immediate")
    # The database stays down for a moment.
    time.sleep(chance.uniform(0, 2))
    hub.servers.start_postgresql()


def is_dropped(hub, slot):
    try:
        hub.servers.sql(f"select pg_drop_replication_slot('{slot}')")
        return True
    except subprocess.CalledProcessError:
        return False


def fill_log(hub, chance):
    """Takes all space from the log of the database, which stops it, then frees the space and starts it."""
    slot = "forgotten"
    # Otherwise the database would use its old files again.
    hub.servers.sql(f"select pg_create_physical_replication_slot('{slot}', true)")
    hub.servers.log_disk.fill()
    end = time.monotonic() + FULL
    while time.monotonic() < end and hub.servers.is_postgresql_running():
        # The database recovers by itself as long as its last file has space.
        with contextlib.suppress(subprocess.CalledProcessError):
            hub.servers.sql("select pg_switch_wal()")
        # A poll until the end.
        time.sleep(0.1)
    if hub.servers.is_postgresql_running():
        raise RuntimeError("the database has not stopped")
    # The database stays down for a moment.
    time.sleep(chance.uniform(0, 2))
    hub.servers.log_disk.grow()
    hub.servers.start_postgresql()
    # A database that starts refuses connections.
    hub.wait_for(60, lambda: is_dropped(hub, slot))


def cut_links(hub, chance):
    for name in ("fast", "slow"):
        if name in hub.workers and hub.workers[name].poll() is None:
            os.kill(hub.workers[name].pid, signal.SIGUSR1)
    # The devices come back after at most four seconds.
    time.sleep(4)


def leader(hub, chance):
    """Returns the number of a node that leads a queue."""
    rows = hub.servers.rabbitmqctl("list_queues", "--no-table-headers", "name", "leader", node=hub.servers.nodes[0]).splitlines()
    leaders = [row.split("\t")[1] for row in rows if "\t" in row]
    return int(chance.choice(leaders)[1:].split("@")[0])


def kill_leader(hub, chance):
    """Kills the node that leads a queue."""
    node = leader(hub, chance)
    hub.servers.kill_node(node)
    # The others elect new leaders.
    time.sleep(2)
    hub.servers.start_node(node)
    hub.servers.wait_for_node(node)


KINDS = {fault.__name__: fault for fault in (kill_worker, stop_worker, stop_database, cut_links, kill_leader)}
# A fault that requires a disk of its own.
ALL_KINDS = KINDS | {fill_log.__name__: fill_log}


def choose(seed, count, kinds=None):
    """Returns a reproducible list of faults, of these kinds or of those that every machine permits."""
    chance = random.Random(seed)
    return chance, [ALL_KINDS[chance.choice(kinds or list(KINDS))] for _ in range(count)]
