"""Headings: the cost of an update in Core, and of a daemon with a magnetometer of 50 Hz, while a client asks and while none does."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

from .bus import private_bus, running
from .sensors import Sensors
from .sessions import wait_for
from .setup import BENCH, PROGRAMS, output

UPDATE_LIMIT, CORE_LIMIT = 2, 0.3
CALIBRATION, REST, IDLE = 60, 20, 10


def measure(table, rounds):
    passes = [json.loads(output(BENCH, "heading", "5")) for _ in range(rounds)]
    # The fastest round is disturbed least.
    table.show("heading update, us", [min(figures["update_us"] for figures in passes)], UPDATE_LIMIT)
    table.show("magnetic model, us", [min(figures["model_us"] for figures in passes)])
    signals, percent, wakeups = with_daemon()
    table.show("headings at rest, filter 5 degrees", [signals], 0)
    table.show("magnetometer, % of a core", [percent], CORE_LIMIT)
    table.show("wake-ups in 10 s, no client", [wakeups], 0)


def with_daemon():
    """Returns the signals and the processor time in % of a core at rest, and the wake-ups after the client has left."""
    # sysfs lies in memory: files of a disk would add its times of access to each read.
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder, private_bus() as address, Sensors(folder) as sensors:
        config = pathlib.Path(folder, "config.toml")
        config.write_text('[location.fixed]\nlatitude = 37.77\nlongitude = -122.42\n')
        environment = os.environ | {"BEACONMON_IIO": str(sensors.root), "STATE_DIRECTORY": folder}
        daemon = [str(PROGRAMS / "beaconmond"), "--bus", address, "--config", str(config), "--source", "none"]
        with running(daemon, env=environment, stderr=subprocess.DEVNULL) as process:
            wait_for(lambda: subprocess.run(
                ["busctl", f"--address={address}", "status", "org.beaconmon.Monitor1"], stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL).returncode == 0)
            command = [
                str(PROGRAMS / "beaconmon"), "heading", "--json", "--filter", "5", "--interval", "0s", "--bus", address]
            # The signals of the daemon, also ones that the client would not print.
            monitor = ["dbus-monitor", "--address", address, "type='signal',member='HeadingUpdated'"]
            with running(monitor, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as bus, \
                    running(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as client:
                lines, sent = [], []
                for stream, into in ((client.stdout, lines), (bus.stdout, sent)):
                    threading.Thread(target=into.extend, args=(stream,), daemon=True).start()

                def signals_sent():
                    return sum("member=HeadingUpdated" in line for line in sent)

                sensors.motion = "tumble"
                time.sleep(CALIBRATION)
                sensors.motion = "rest"
                sensors.lay(90)
                # The filter settles, and the last turn is reported.
                time.sleep(5)
                if not any("magneticHeading" in line for line in lines):
                    sys.exit("the magnetometer was not calibrated within a minute")
                if signals_sent() < len(lines):
                    sys.exit(f"dbus-monitor saw {signals_sent()} of at least {len(lines)} signals")
                count, spent = signals_sent(), processor_seconds(process.pid)
                time.sleep(REST)
                percent = (processor_seconds(process.pid) - spent) / REST * 100
                signals = signals_sent() - count
            # The calibration is stored, and the timers of the last call end.
            time.sleep(2)
            before = wakeups(process.pid)
            time.sleep(IDLE)
            return signals, percent, wakeups(process.pid) - before


def processor_seconds(pid):
    """Returns the processor time of all threads."""
    return sum(int(task.read_text().split()[0]) for task in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9


def wakeups(pid):
    def switches(task):
        return next(int(line.split()[1]) for line in task.read_text().splitlines() if line.startswith("voluntary_ctxt_switches"))

    return sum(switches(task) for task in pathlib.Path(f"/proc/{pid}/task").glob("*/status"))
