"""The latency of a signal to a C listener, and the cost of sending one: our connection and loop compared with libdbus used from C."""
import json
import subprocess

from .bus import private_bus, processor_seconds, running
from .setup import BENCH, yardstick

PACED, RATE = 2000, 1000
FLAT_OUT = 50_000
LATENCY_LIMIT = 1.5


def measure(table, rounds):
    emitters = (BENCH, "emit"), (yardstick("emit"),)
    paced, flat_out = [], []
    with private_bus() as address:
        for _ in range(rounds):
            paced.append([emit(emitter, address, PACED, RATE) for emitter in emitters])
            flat_out.append([emit(emitter, address, FLAT_OUT, 0) for emitter in emitters])
    for name, limit in (("p50_us", LATENCY_LIMIT), ("p99_us", None)):
        table.compare(f"signal at {RATE}/s, {name[:3]} µs", *pick(paced, name), limit)
    table.compare("signal flat out, emitter CPU µs", *pick(flat_out, "emit_us"))
    table.compare("signal flat out, signals/s", *pick(flat_out, "per_s"), best=max)


def pick(rounds, name):
    return ([figures[name] for figures in side] for side in zip(*rounds))


def emit(emitter, address, count, rate):
    """Returns the listener's latencies, and the emitter's processor time per signal."""
    listener = ["timeout", "120", yardstick("listen"), address, str(count)]
    with running(listener, stdout=subprocess.PIPE, text=True) as process:
        if process.stdout.readline() != "READY\n":
            raise RuntimeError("the listener did not start")
        seconds = processor_seconds([*emitter, address, str(count), str(rate)])
        line = process.stdout.readline()
        if not line:
            raise RuntimeError("not every signal arrived within two minutes")
        return json.loads(line) | {"emit_us": seconds / count * 1e6}
