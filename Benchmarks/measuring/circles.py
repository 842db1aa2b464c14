"""Finds the circles that contain each fix, one fix at a time, on a sphere.

Compares the index with two grids on one generated world, one in C and one in C++, and measures the engine with many circles."""
import json
import sys

from .setup import BENCH, WORK, output, yardstick

# Circles: the limit of our time in multiples of the C++ grid's. The grid in C, which does less for each circle, and the time of a million
# circles are shown only.
SIZES = {1_000: 1.5, 100_000: 1.2, 1_000_000: None}
PASSES = "5"
AGREE = ("regions", "fixes", "memberships", "enters", "exits", "checksum")
OCTETS_LIMIT, BUILD_LIMIT = 100, 0.8
# The memory of a whole watch, as of a beacon region.
WATCH_LIMIT = 300


def measure(table, rounds):
    for count, limit in SIZES.items():
        world = str(WORK / f"{count}.circles")
        output(yardstick("geo"), "make", world, str(count))
        triples = [(run(BENCH, "geo", world), run(yardstick("grid"), world), run(yardstick("geo"), world)) for _ in range(rounds)]
        for ours, *theirs in triples:
            if any(ours[key] != other[key] for other in theirs for key in AGREE):
                sys.exit(f"{count} circles: the results differ: {ours} and {theirs}")
        name = f"{count:,} circles"
        ours, grid, lean = ([figures["ns_per_fix"] for figures in side] for side in zip(*triples))
        table.compare(f"{name}, ns per fix, C++", ours, grid, limit)
        table.compare(f"{name}, ns per fix, C", ours, lean)
        table.show(f"{name}, build, us for each", [ours["build_us_per_region"] for ours, *_ in triples], BUILD_LIMIT)
        # With a thousand circles, pages determine the memory, and not circles.
        if count > 1_000:
            table.show(f"{name}, octets for each", [ours["bytes_per_region"] for ours, *_ in triples], OCTETS_LIMIT)
    passes = [run(BENCH, "circles") for _ in range(rounds)]
    table.show("10,000 circles watched, ns per fix", [figures["ns_per_fix"] for figures in passes])
    table.show("10,000 circles watched, octets for each", [figures["octets_per_circle"] for figures in passes], WATCH_LIMIT)


def run(*command):
    return json.loads(output(*command, PASSES))
