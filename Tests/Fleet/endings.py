"""Ends loads together with a leader of queues, so that no later message shows that one is missing."""
import time

import faults
import hub as hubs

# The time of each load, in seconds.
LOAD = 5
# The time after which every acknowledged message has a row, in seconds. A worker asks a silent queue again after 30 s.
PATIENCE = 45


def end_with_leaders(soak):
    """Ends each load within half a second of the kill of a leader, and counts the missing rows before the node returns."""
    soak.stop_loads()
    for number in range(soak.options.ends):
        end_with_leader(soak, f"end{number}")


def end_with_leader(soak, name):
    hub, chance = soak.hub, soak.options.chance
    soak.start_load(name, devices=soak.options.fast, sites=soak.options.sites)
    # All queues have messages on their way then.
    time.sleep(LOAD)
    node, pause = faults.leader(hub, chance), chance.uniform(-0.5, 0.5)
    killed = time.time() + max(0, -pause)
    parts = [lambda: hub.servers.kill_node(node), hub.workers[name].terminate]
    for part in parts if pause > 0 else reversed(parts):
        part()
        # The pause between both is the first one.
        time.sleep(abs(pause))
    soak.judge("unacknowledged", int(hub.workers[name].wait(timeout=120) != 0))
    ledger = hubs.Ledger(hub, name)
    took = hub.wait_for(PATIENCE, lambda: ledger.compare()[0] == 0)
    lost = ledger.compare()[0]
    hub.servers.start_node(node)
    hub.servers.wait_for_node(node)
    soak.judge("late", lost, f"node {node} was killed at {hubs.clock(killed)}, and the load ended {pause:+.2f} s later; "
               + (f"all rows after {took:.1f} s" if took is not None else ledger.describe_lost()))
