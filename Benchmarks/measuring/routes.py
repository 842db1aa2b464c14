"""Finds routes over 10,124 edges on three levels: the slowest of five, in its fastest pass."""
import json

from .setup import BENCH, output

PASSES = "20"
# Microseconds.
LIMIT = 2000


def measure(table, rounds):
    passes = [json.loads(output(BENCH, "routes", PASSES)) for _ in range(rounds)]
    # The fastest round is disturbed least.
    for key, name in (("us", "a route"), ("accessibleUs", "an accessible route"), ("refusedUs", "the refusal of a route")):
        table.show(f"10,124 edges, us for {name}", [min(figures[key] for figures in passes)], LIMIT)
