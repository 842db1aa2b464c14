"""Finds routes over 10,124 edges on three levels: the slowest of five, in its fastest pass. Counts the faults of guidance on simulated walks."""
import json

from .setup import BENCH, output

PASSES = "20"
# Microseconds.
LIMIT = 2000
# The walks of each kind, and the first seed.
WALKS, SEED = "2000", "1"
# Instructions that come late or not at all, of some 8,000.
FAULTS_LIMIT = 4


def measure(table, rounds):
    passes = [json.loads(output(BENCH, "routes", PASSES)) for _ in range(rounds)]
    # The fastest round is disturbed least.
    for key, name in (("us", "a route"), ("accessibleUs", "an accessible route"), ("refusedUs", "the refusal of a route")):
        table.show(f"10,124 edges, us for {name}", [min(figures[key] for figures in passes)], LIMIT)
    walks = [json.loads(line) for line in output(BENCH, "walks", WALKS, SEED, "walk", "stops", "wrongTurnsSteps").splitlines()]
    table.show("6,000 guided walks, not arrived", [sum(kind["walks"] - kind["arrived"] for kind in walks)], 0)
    table.show("6,000 guided walks, late or lost", [sum(len(kind["late"]) + len(kind["missed"]) for kind in walks)], FAULTS_LIMIT)
    table.show("2,000 guided walks, late routes", [len(walks[2]["lateRoutes"])], 0)
