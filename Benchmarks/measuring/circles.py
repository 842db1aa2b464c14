"""Finds the circles that contain each fix, one fix at a time, on a sphere.

Compares the index with a grid in C on one generated world, and measures the engine with many circles."""
import json
import sys

from .setup import BENCH, WORK, output, yardstick

# The time of a million circles is shown for growth. The yardstick takes 0.8 times as long as the C++ grid, which sorts its results and is the target of
# comparison. The limit is 1.5 times the C++ grid.
SIZES = {1_000: True, 100_000: True, 1_000_000: False}
PASSES = "5"
TIME_LIMIT, OCTETS_LIMIT, BUILD_LIMIT = 1.9, 100, 0.8
# The memory of a whole watch, as of a beacon region.
WATCH_LIMIT = 300


def measure(table, rounds):
    for count, is_limited in SIZES.items():
        world = str(WORK / f"{count}.circles")
        output(yardstick("geo"), "make", world, str(count))
        pairs = [(run(BENCH, "geo", world), run(yardstick("geo"), world)) for _ in range(rounds)]
        for ours, theirs in pairs:
            if any(ours[key] != theirs[key] for key in ("regions", "fixes", "memberships", "enters", "exits", "checksum")):
                sys.exit(f"{count} circles: the results differ: {ours} and {theirs}")
        name = f"{count:,} circles"
        limit = TIME_LIMIT if is_limited else None
        table.compare(f"{name}, ns per fix", *([figures["ns_per_fix"] for figures in side] for side in zip(*pairs)), limit)
        table.show(f"{name}, build, us for each", [ours["build_us_per_region"] for ours, _ in pairs], BUILD_LIMIT)
        # With a thousand circles, pages determine the memory, and not circles.
        if count > 1_000:
            table.show(f"{name}, octets for each", [ours["bytes_per_region"] for ours, _ in pairs], OCTETS_LIMIT)
    passes = [run(BENCH, "circles") for _ in range(rounds)]
    table.show("10,000 circles watched, ns per fix", [figures["ns_per_fix"] for figures in passes])
    table.show("10,000 circles watched, octets for each", [figures["octets_per_circle"] for figures in passes], WATCH_LIMIT)


def run(*command):
    return json.loads(output(*command, PASSES))
