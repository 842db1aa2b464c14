"""The shipped daemon under the traffic of a shop: a capture source in real time, and the cost of its metrics."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from .bus import private_bus, running
from .setup import PROGRAMS, ROOT, WORK, output

UUID = "8ec76ea3-6668-48da-9866-75be8bc86f4d"
BEACONS, INTERVAL = 40, "200ms"  # 200 advertisements a second
WARM_UP, SECONDS = 5, 60
LIMIT = 1  # per cent of a core
VENUE_MEMORY_LIMIT = 14  # MiB
SCRAPES = 50


def measure(table, rounds):
    program = str(WORK / "beaconmond")
    output("strip", "-o", program, str(PROGRAMS / "beaconmond"))
    # A minute each, so few rounds.
    loads = [load(program) for _ in range(min(rounds, 3))]
    table.show("200 adverts/s, % of a core", [share for share, _, _, _ in loads], LIMIT)
    table.show("200 adverts/s, wake-ups a second", [wakes for _, wakes, _, _ in loads])
    venue = [positioned(program) for _ in range(min(rounds, 3))]
    table.show("the same in a venue with a position, % of a core", [share for share, _, _ in venue], LIMIT)
    table.show("the same in a venue with a position, RSS MiB", [memory for _, memory, _ in venue], VENUE_MEMORY_LIMIT)
    table.show("metrics on, RSS KiB more", [memory for _, _, memory, _ in loads])
    table.show("a scrape, CPU ms", [scrape for _, _, _, scrape in loads])


def positioned(program):
    """Returns the share of a core, the MiB and the number of locations of a daemon that follows a visitor for a client."""
    with tempfile.TemporaryDirectory() as folder, private_bus() as address:
        scenario, gallery = pathlib.Path(folder, "hall.toml"), ROOT / "Docs" / "examples" / "venues" / "gallery.toml"
        # Twelve beacons, 200 advertisements a second together.
        scenario.write_text(
            f'name = "a hall"\nduration = "{WARM_UP + SECONDS + 60}s"\nvenue = "{gallery}"\n[venue-beacons]\ninterval = "60ms"\n'
            '[[visitor]]\nname = "guest"\nspeed = 1.0\nwander = { place = [18, 8.5], pause = "2s" }\n[[receiver]]\ncarried-by = "guest"\n')
        capture, config = f"{folder}/hall.btsnoop", f"{folder}/config.toml"
        output(str(PROGRAMS / "beaconmon"), "simulate", str(scenario), "--output", capture, "--config", config)
        command = [program, "--bus", address, "--config", config, "--source", f"capture:{capture}"]
        with running(command, stderr=subprocess.DEVNULL, env=os.environ | {"STATE_DIRECTORY": folder}) as daemon:
            time.sleep(1)
            client = [str(PROGRAMS / "beaconmon"), "where", "--follow", "--json", "--bus", address]
            with open(f"{folder}/positions", "w") as positions, running(client, stdout=positions):
                time.sleep(WARM_UP)
                before = figures(daemon.pid)
                time.sleep(SECONDS)
                after = figures(daemon.pid)
                share = 100 * (after["time"] - before["time"]) / SECONDS
            count = len(pathlib.Path(folder, "positions").read_text().splitlines())
            if count < SECONDS / 2:
                sys.exit(f"the client received {count} positions in {SECONDS} s")
            return share, after["memory"] / 1024, count


def load(program):
    """Returns the share of a core, wake-ups a second, and the memory and processor time of metrics."""
    with tempfile.TemporaryDirectory() as folder, private_bus() as address:
        scenario = pathlib.Path(folder, "shop.toml")
        scenario.write_text(f'name = "two hundred a second"\nduration = "{WARM_UP + SECONDS + 60}s"\n' + "".join(
            f'[[beacon]]\nuuid = "{UUID}"\nmajor = 1\nminor = {minor}\nposition = [{minor % 8 * 2}, {minor // 8 * 2}]\ninterval = "{INTERVAL}"\n'
            f'[[region]]\nidentifier = "region {minor}"\nuuid = "{UUID}"\nmajor = 1\nminor = {minor}\n' for minor in range(BEACONS)
        ) + "[[receiver]]\nposition = [8, 5]\n")
        capture, config, socket = f"{folder}/shop.btsnoop", f"{folder}/config.toml", f"{folder}/metrics.sock"
        output(str(PROGRAMS / "beaconmon"), "simulate", str(scenario), "--output", capture, "--config", config)
        command = [program, "--bus", address, "--config", config, "--source", f"capture:{capture}"]
        with running(command, stderr=subprocess.DEVNULL, env=os.environ | {"STATE_DIRECTORY": folder}) as daemon:
            time.sleep(WARM_UP)
            before = figures(daemon.pid)
            time.sleep(SECONDS)
            after = figures(daemon.pid)
            with open(config, "a") as file:
                file.write(f'[metrics]\nlisten = "{socket}"\n')
            daemon.send_signal(1)
            while not os.path.exists(socket):
                time.sleep(0.1)
            scrape(socket)
            served = figures(daemon.pid)
            for _ in range(SCRAPES):
                scrape(socket)
                time.sleep(0.05)
            scraped = figures(daemon.pid)
            share = 100 * (after["time"] - before["time"]) / SECONDS
            # Answers within a second are shared, so most of these scrapes cost the exchange only.
            cost = 1000 * (scraped["time"] - served["time"] - (SCRAPES * 0.06) * share / 100) / SCRAPES
            return share, (after["wakes"] - before["wakes"]) / SECONDS, served["memory"] - after["memory"], max(0, cost)


def scrape(socket):
    command = ["curl", "-sS", "--unix-socket", socket, "http://localhost/metrics"]
    assert "beaconmon_beacons" in subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout


def figures(pid):
    """Returns processor seconds, wake-ups and resident KiB: proc(5)."""
    values = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    status = dict(line.split(":\t", 1) for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines())
    return {
        "time": (int(values[11]) + int(values[12])) / os.sysconf("SC_CLK_TCK"),
        "wakes": int(status["voluntary_ctxt_switches"]),
        "memory": int(status["VmRSS"].split()[0]),
    }
