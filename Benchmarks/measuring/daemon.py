"""The shipped daemon: the time from a sighting in a FIFO to its event at a C listener, from a receiver's line to the location at a C client, and
its memory and wake-ups while idle."""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from .bus import before_others, private_bus, running
from .sessions import crowd
from .setup import PROGRAMS, ROOT, WORK, output, yardstick

VISITS = 1000
FIXES = 2500  # a tenth of them warms up
FIX_LIMIT, MOST_FIX_LIMIT = 2000, 10_000  # µs at p99
MEMORY_LIMIT, SESSION_LIMIT = 10, 11.5  # MiB
IDLE_SECONDS = 10
GALLERY = ROOT / "Docs" / "examples" / "gallery" / "gallery.toml"
GALLERY_UUID = "8ec76ea3-6668-48da-9866-75be8bc86f4d"
WALK = ROOT / "Tests" / "Fixtures" / "gallery-rectangular_without_rotation.btsnoop"
REGION = '[[region]]\nidentifier = "visit {0}"\nuuid = "11111111-1111-1111-1111-111111111111"\nmajor = 1\nminor = {0}\n'


def measure(table, rounds):
    program = str(WORK / "beaconmond")
    output("strip", "-o", program, str(PROGRAMS / "beaconmond"))
    visits = [visit(program) for _ in range(rounds)]
    for name in ("p50_us", "p99_us"):
        table.show(f"sighting to event, {name[:3]} µs", [figures[name] for figures in visits])
    for way, limit in (("tcp", FIX_LIMIT), ("pty", None)):
        fixes, pings = zip(*[fix(program, way) for _ in range(rounds)])
        table.show(f"line to location, {way}, p50 µs", [figures["p50_us"] for figures in fixes])
        beside = [figures["p99_us"] for figures in pings]
        # On a machine that takes longer to wake these processes, a location takes longer too.
        limit = limit and min(MOST_FIX_LIMIT, max(limit, round(1.5 * statistics.median(beside))))
        table.show(f"line to location, {way}, p99 µs", [figures["p99_us"] for figures in fixes], limit)
        table.show(f"a Ping beside it, {way}, p99 µs", beside)
    memory, with_session, peak, threads, wake_ups = rest(program)
    table.show("gallery walk, RSS MiB", [memory], MEMORY_LIMIT)
    table.show("the same with a session, RSS MiB", [with_session], SESSION_LIMIT)
    table.show("peak RSS of the start, MiB", [peak])
    table.show("gallery walk, threads", [threads], 1)
    table.show(f"wake-ups in {IDLE_SECONDS} idle seconds", [wake_ups], 0)


def visit(program):
    """Returns the yardstick's figures with one region for each of its beacons."""
    with tempfile.TemporaryDirectory() as folder, private_bus() as address:
        fifo, config = f"{folder}/fifo", pathlib.Path(folder, "config.toml")
        os.mkfifo(fifo)
        config.write_text("".join(REGION.format(minor) for minor in range(VISITS)))
        with running(["timeout", "60", yardstick("visit"), address, fifo, str(VISITS)], stdout=subprocess.PIPE, text=True) as visitor:
            with beaconmond(program, address, config, fifo):
                line = visitor.stdout.readline()
                return json.loads(line) if line else sys.exit("beaconmond did not report every visit within a minute")


def fix(program, way):
    """Returns the yardstick's figures for fixes and for Pings between them.

    The yardstick is both the receiver, reached by `way`, and the client.
    """
    with tempfile.TemporaryDirectory() as folder, before_others(), private_bus() as address:
        with running(["timeout", "120", yardstick("fix"), address, str(FIXES), way], stdout=subprocess.PIPE, text=True) as client:
            config = pathlib.Path(folder, "config.toml")
            config.write_text(f'source = "none"\n[location.nmea]\n{client.stdout.readline()}')
            environment = os.environ | {"STATE_DIRECTORY": folder}
            with running([program, "--bus", address, "--config", str(config)], stderr=subprocess.DEVNULL, env=environment):
                lines = list(client.stdout)
                return [json.loads(line) for line in lines] if lines else sys.exit("beaconmond did not report every fix within two minutes")


def rest(program):
    """Measures a daemon after a walk through the gallery.

    Returns its resident MiB, the same with a session that ranges, the peak since its start, its threads, and its wake-ups while idle."""
    with private_bus() as address, beaconmond(program, address, GALLERY, WALK) as process:
        while not is_paused(address):
            if process.poll() is not None:
                sys.exit("beaconmond ended before the walk did")
            time.sleep(0.1)
        # The daemon gives back the memory of its start 2 s after it.
        time.sleep(3)
        before = status(process.pid)
        time.sleep(IDLE_SECONDS)
        after = status(process.pid)
        with crowd(address, 1, 1, GALLERY_UUID):
            time.sleep(1)
            with_session = status(process.pid)
        return (
            int(after["VmRSS"].split()[0]) / 1024,
            int(with_session["VmRSS"].split()[0]) / 1024,
            int(with_session["VmHWM"].split()[0]) / 1024,
            int(after["Threads"]),
            int(after["voluntary_ctxt_switches"]) - int(before["voluntary_ctxt_switches"]),
        )


def beaconmond(program, address, config, capture):
    arguments = ["--bus", address, "--config", str(config), "--source", f"capture:{capture}", "--speed", "max"]
    return running([program, *arguments], stderr=subprocess.DEVNULL)


def is_paused(address):
    """Asks another project's client for the owner; false while the daemon is not on the bus yet."""
    command = ["busctl", f"--address={address}", "get-property", "org.beaconmon.Monitor1", "/org/beaconmon/Monitor1"]
    question = [*command, "org.beaconmon.Monitor1.Manager", "SourceState"]
    return "paused" in subprocess.run(question, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def status(pid):
    return dict(line.split(":\t", 1) for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines())
