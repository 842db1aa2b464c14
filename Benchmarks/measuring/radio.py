"""The cost of reception: the same reports for our source and for C readers that read them one at a time, each with the whole job."""
import json
import pathlib
import socket
import subprocess
import sys
import time

from .bus import private_bus, running
from .setup import BENCH, WORK, output, yardstick

FLOOD_LIMIT, PACKETS_LIMIT, SIGNALS_LIMIT = 1.0, 1.3, 1.5
# The rate of a flood, and that of a busy place.
FLOOD, BUSY, BUSY_RATE = 100_000, 10_000, 2000
SIGNALS, SIGNAL_RATE = 10_000, 2000
ALTBEACON_CODE = b"\xbe\xac"
AGREE = ("n", "accepted", "beacons", "enters")


def measure(table, rounds):
    capture = WORK / "100000.btsnoop"
    output(yardstick("generate"), str(capture), "100000")
    packets = read_packets(capture.read_bytes())
    readers = ([BENCH, "h4"], [yardstick("packets")])
    for name, count, rate, limit in (("flood", FLOOD, None, FLOOD_LIMIT), (f"{BUSY_RATE}/s", BUSY, BUSY_RATE, PACKETS_LIMIT)):
        compare(table, f"HCI, {name}, CPU s per 10,000", [[feed(reader, packets[:count], rate) for reader in readers] for _ in range(rounds)], limit)
    listeners = ([BENCH, "bluez"], [yardstick("discover")])
    compare(table, "D-Bus, CPU s per 10,000", [[discover(listener) for listener in listeners] for _ in range(rounds)], SIGNALS_LIMIT)


def compare(table, name, rounds, limit):
    for ours, theirs in rounds:
        if any(ours[key] != theirs[key] for key in AGREE):
            sys.exit(f"{name}: the results differ: {ours} and {theirs}")
    table.compare(name, *([figures["cpu_s"] / figures["n"] * 1e4 for figures in side] for side in zip(*rounds)), limit)


def read_packets(octets):
    packets, start = [], 16
    while start < len(octets):
        size = int.from_bytes(octets[start + 4 : start + 8], "big")
        packets.append(octets[start + 24 : start + 24 + size])
        start += 24 + size
    # The yardstick decodes no AltBeacons, and those of the capture have random identities: our engine would track each of them.
    return [packet for packet in packets if ALTBEACON_CODE not in packet]


def feed(reader, packets, rate):
    """Returns the results and the processor time for packets that come through a socket, as those of an adapter do."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, running([*reader, str(theirs.fileno())], stdout=subprocess.PIPE, text=True, pass_fds=[theirs.fileno()]) as process:
        theirs.close()
        wait_until_asleep(process.pid)
        before = processor_seconds(process.pid)
        start = time.monotonic()
        for number, packet in enumerate(packets):
            if rate:
                time.sleep(max(0, start + number / rate - time.monotonic()))
            ours.send(packet)
        wait_until_asleep(process.pid)
        spent = processor_seconds(process.pid) - before
        ours.close()
        return json.loads(process.stdout.readline()) | {"cpu_s": spent}


def discover(listener):
    """Returns the results for the signals of a bluetoothd without a radio."""
    with private_bus() as address:
        with running([yardstick("bluez"), address, str(SIGNALS), str(SIGNAL_RATE)], stdout=subprocess.PIPE, text=True) as bluez:
            if bluez.stdout.readline() != "READY\n":
                sys.exit("the fake bluetoothd did not start")
            return json.loads(output("timeout", "60", *listener, address, str(SIGNALS)))


def wait_until_asleep(pid):
    """Waits until the process has read everything: it sleeps at three checks in a row."""
    asleep, before = 0, -1.0
    while asleep < 3:
        time.sleep(0.05)
        spent = processor_seconds(pid)
        asleep = asleep + 1 if spent == before else 0
        before = spent


def processor_seconds(pid):
    return int(pathlib.Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
