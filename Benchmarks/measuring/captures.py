"""Bytes to iBeacons, and bytes to events: processor time per advertising event of a generated capture; and the engine with many regions."""
import json
import sys

from .setup import BENCH, WORK, output, yardstick

# Job: the limit of our time in multiples of the yardstick's time, the members that both must agree about, and the arguments of the capture.
# The yardstick has no AltBeacons, so the engine gets none of them.
JOBS = {
    "parse": (1.25, ("advs", "wellformed", "accepted", "checksum"), ()),
    "full": (1.5, ("advs", "wellformed", "accepted", "beacons", "regions", "enters", "exits"), ("1", "without")),
}
PASSES = "5"
REGIONS_LIMIT, OCTETS_LIMIT = 2.5, 300


def measure(table, rounds, events):
    for job, (limit, agree, arguments) in JOBS.items():
        capture = WORK / f"{job}-{events}.btsnoop"
        output(yardstick("generate"), str(capture), str(events), *arguments)
        pairs = [(run(BENCH, job, str(capture)), run(yardstick(job), str(capture))) for _ in range(rounds)]
        for ours, theirs in pairs:
            if any(ours[key] != theirs[key] for key in agree):
                sys.exit(f"{job}: the results differ: {ours} and {theirs}")
        table.compare(f"{job}, ns per event", *([figures["ns_per_adv"] for figures in side] for side in zip(*pairs)), limit)
    many_regions(table, rounds)


def many_regions(table, rounds):
    pairs = [(run(BENCH, "regions"), run(yardstick("regions"))) for _ in range(rounds)]
    for ours, theirs in pairs:
        if any(ours[key] != theirs[key] for key in ("sightings", "enters", "exits")):
            sys.exit(f"regions: the results differ: {ours} and {theirs}")
    table.compare("10,000 regions, ns per sighting", *([figures["ns_per_sighting"] for figures in side] for side in zip(*pairs)), REGIONS_LIMIT)
    table.show("10,000 regions, octets for each", [ours["octets_per_region"] for ours, _ in pairs], OCTETS_LIMIT)


def run(*command):
    return json.loads(output(*command, PASSES))
