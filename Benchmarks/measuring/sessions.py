"""Sessions: the cost of ranging for many of them, their memory, and the time of a call, compared with libdbus used from C."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from .background import Background
from .bus import private_bus, running
from .radio import processor_seconds
from .setup import PROGRAMS, WORK, output, yardstick

CONNECTIONS, SESSIONS, BEACONS, SECONDS = 63, 16, 100, 10
RANGING_LIMIT, MEMORY_LIMIT, CALL_LIMIT = 1.5, 8, 1.1
CALLS = 20_000
UUID = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"
HEADER = b"btsnoop\0" + (1).to_bytes(4, "big") + (1002).to_bytes(4, "big")
YEAR_ZERO = 0x00DCDDB30F2F8000


def measure(table, rounds):
    program = str(WORK / "beaconmond")
    output("strip", "-o", program, str(PROGRAMS / "beaconmond"))
    ours, memory, theirs = [], [], []
    for _ in range(min(rounds, 3)):
        seconds, octets = with_daemon(program)
        ours.append(seconds)
        memory.append(octets)
        theirs.append(with_yardstick())
    name = f"{CONNECTIONS * SESSIONS} sessions, CPU µs per signal"
    table.compare(name, ours, theirs, RANGING_LIMIT)
    table.show("memory of a session, KiB", memory, MEMORY_LIMIT)
    calls = [round_trips(program) for _ in range(rounds)]
    for key, limit in (("p50_us", CALL_LIMIT), ("p99_us", None)):
        table.compare(f"method call, {key[:3]} µs", *([figures[key] for figures in side] for side in zip(*calls)), limit)


def with_daemon(program):
    """Returns the processor time of each signal in µs, and the KiB by which a ranging session grows the daemon."""
    with tempfile.TemporaryDirectory() as folder, private_bus() as address, beaconmond(program, address, folder) as (process, fifo):
        with Feed(fifo):
            # The daemon has sent its first snapshot before its memory is read.
            with crowd(address, 1, 1, UUID) as one:
                wait_for(lambda: one.heard() >= 3)
                before = resident_kib(process.pid)
                with crowd(address, CONNECTIONS, SESSIONS, UUID) as many:
                    wait_for(lambda: many.heard() >= 3 * CONNECTIONS * SESSIONS)
                    # The time lies between the bursts of two seconds.
                    many.wait_until_quiet()
                    octets = (resident_kib(process.pid) - before) / (CONNECTIONS * SESSIONS)
                    start, spent = many.heard(), processor_seconds(process.pid)
                    time.sleep(SECONDS)
                    many.wait_until_quiet()
                    signals = many.heard() - start
                    if signals < (SECONDS - 1) * CONNECTIONS * SESSIONS:
                        sys.exit(f"only {signals} snapshots came in {SECONDS} s")
                    return (processor_seconds(process.pid) - spent) / signals * 1e6, octets


def with_yardstick():
    total = CONNECTIONS * SESSIONS
    with private_bus() as address, crowd(address, CONNECTIONS, SESSIONS) as receivers:
        command = [yardstick("ranged"), address, str(total), str(SECONDS)]
        before = os.times()
        subprocess.run(command, input="\n".join(receivers.names) + "\n", text=True, check=True, timeout=120)
        after = os.times()
        spent = after.children_user + after.children_system - before.children_user - before.children_system
        receivers.wait_until_quiet()
        if receivers.heard() != total * SECONDS:
            sys.exit(f"the yardstick's receivers heard {receivers.heard()} of {total * SECONDS}")
        return spent / (total * SECONDS) * 1e6


def round_trips(program):
    """Measures our daemon, and a C service on the same bus."""
    with tempfile.TemporaryDirectory() as folder, private_bus() as address, beaconmond(program, address, folder):
        with running([yardstick("property"), address], stdout=subprocess.PIPE, text=True) as service:
            names = "org.beaconmon.Monitor1", service.stdout.readline().strip()
            return [json.loads(output("timeout", "60", yardstick("call"), address, name, str(CALLS))) for name in names]


class beaconmond:
    """Starts a daemon on a FIFO that is open for writing, and waits for it on the bus."""

    def __init__(self, program, address, folder):
        self.fifo = f"{folder}/fifo"
        config = pathlib.Path(folder, "config.toml")
        config.write_text("")
        os.mkfifo(self.fifo)
        self.address = address
        arguments = ["--bus", address, "--config", str(config), "--source", f"capture:{self.fifo}", "--speed", "max"]
        self.process = running([program, *arguments], stderr=subprocess.DEVNULL)

    def __enter__(self):
        process = self.process.__enter__()
        self.feed = open(os.open(self.fifo, os.O_RDWR), "wb", buffering=0)
        self.feed.write(HEADER)
        wait_for(lambda: subprocess.run(
            ["busctl", f"--address={self.address}", "status", "org.beaconmon.Monitor1"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ).returncode == 0)
        return process, self.feed

    def __exit__(self, *reason):
        self.feed.close()
        return self.process.__exit__(*reason)


class Feed(Background):
    """Sends every beacon once a second until the block ends."""

    def __init__(self, fifo):
        super().__init__()
        self.fifo = fifo

    def run(self):
        begin = time.monotonic()
        second = 0
        while not self.ended.wait(max(0, begin + second - time.monotonic())):
            for minor in range(BEACONS):
                self.fifo.write(sighting(minor, second * 1_000_000 + minor))
            second += 1


def sighting(minor, microseconds):
    beacon = bytes.fromhex("4c000215" + UUID.replace("-", "")) + bytes([0, 1]) + minor.to_bytes(2, "big") + bytes([0xC5])
    data = bytes([0x02, 0x01, 0x06, len(beacon) + 1, 0xFF]) + beacon
    report = bytes([0x02, 1, 0x03, 0x01, 1, 0, 0, 0xEE, 0xFF, 0xC0, len(data)]) + data + bytes([0xC0])
    packet = bytes([0x04, 0x3E, len(report)]) + report
    size = len(packet).to_bytes(4, "big")
    when = (YEAR_ZERO + 1_600_000_000_000_000 + microseconds).to_bytes(8, "big")
    return size + size + (3).to_bytes(4, "big") + bytes(4) + when + packet


class crowd:
    def __init__(self, address, connections, sessions, *uuid):
        command = ["timeout", "300", yardstick("crowd"), address, str(connections), str(sessions), *uuid]
        self.running = running(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def __enter__(self):
        self.process = self.running.__enter__()
        self.names = []
        for line in self.process.stdout:
            if line == "READY\n":
                return self
            self.names.append(line.strip())
        sys.exit("the crowd did not gather")

    def __exit__(self, *reason):
        self.process.stdin.close()
        return self.running.__exit__(*reason)

    def heard(self):
        self.process.stdin.write("\n")
        return int(self.process.stdout.readline())

    def wait_until_quiet(self):
        """Waits for the end of a burst."""
        last, now = -1, self.heard()
        while last != now:
            time.sleep(0.15)
            last, now = now, self.heard()


def wait_for(condition):
    for _ in range(6000):
        if condition():
            return
        time.sleep(0.01)
    sys.exit("what had to happen did not within a minute")


def resident_kib(pid):
    line = next(line for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1])
