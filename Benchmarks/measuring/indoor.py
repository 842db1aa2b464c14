"""Estimates positions: one second of the room filter in a small building and in a large one."""
import json

from .setup import BENCH, output

PASSES = "20"
# Microseconds of an update of the filter, and octets beside the model.
SMALL_LIMIT, LARGE_LIMIT, OCTETS_LIMIT = 40, 1200, 1 << 20
# Microseconds of all that the engine does in a second: the update, the position, its accuracy, distances, learning and twelve areas.
SMALL_TICK_LIMIT, LARGE_TICK_LIMIT = 50, 1200


def measure(table, rounds):
    passes = [json.loads(output(BENCH, "indoor", PASSES)) for _ in range(rounds)]
    # The fastest round is disturbed least.
    table.show("1,435 cells, us a second", [min(figures["small_us"] for figures in passes)], SMALL_LIMIT)
    table.show("720,000 cells, us a second", [min(figures["large_us"] for figures in passes)], LARGE_LIMIT)
    table.show("1,435 cells, us a tick of the engine", [min(figures["small_tick_us"] for figures in passes)], SMALL_TICK_LIMIT)
    table.show("720,000 cells, us a tick of the engine", [min(figures["large_tick_us"] for figures in passes)], LARGE_TICK_LIMIT)
    table.show("720,000 cells, octets", [figures["large_octets"] for figures in passes], OCTETS_LIMIT)
