"""The limits of a soak, and the judgement of its figures. `Tests/Fleet/soak --self-test` tests them."""
import dataclasses
import math


@dataclasses.dataclass(frozen=True)
class Threshold:
    """A figure with the least and the most that it may be."""

    figure: str
    unit: str
    least: float = -math.inf
    most: float = math.inf

    def text(self):
        bounds = [f"{word} {bound:g}" for word, bound in (("at least", self.least), ("at most", self.most)) if math.isfinite(bound)]
        return f"{self.figure}: {' and '.join(bounds)} {self.unit}".rstrip()

    def permits(self, value):
        """Returns whether a figure was measured and is within the bounds."""
        return value is not None and math.isfinite(value) and self.least <= value <= self.most


# In a shorter time without faults, the digests of slow devices that are due at its edges count too much.
SHORTEST_QUIET = 60
# At this rate and above it, the CPU time of a sighting is limited.
LIMITED_RATE = 500

THRESHOLDS = {
    "kept up": Threshold("the due digests that are stored before the load ends", "%", least=99),
    "steady": Threshold("the 99th percentile from device to committed row after the first 30 s", "ms", most=1000),
    "whole": Threshold("the 99th percentile from device to committed row in all", "ms", most=2000),
    "longest": Threshold("the longest time from device to committed row after the first 30 s", "ms", most=2000),
    "worker": Threshold("the time of the workers for a sighting", "µs", most=5),
    "worker and database": Threshold("the time of workers and PostgreSQL for a sighting", "µs", most=15),
    "durable": Threshold("the settings of PostgreSQL that a crash of the machine requires and that are off", "", most=0),
    "shares at start": Threshold("the time until both workers own half of the queues, before the first message", "s", most=10),
    "shares without load": Threshold("the time until both workers own half of the queues after one was killed and returned, without messages", "s",
                                     most=30),
    "shares under load": Threshold("the time until both workers own half of the queues after one was killed and returned, under load", "s", most=30),
    "edge rate": Threshold("the waiting digests of each device of the site that was offline, while they are sent", "a second", least=19, most=21),
    "others": Threshold("the longest time from device to committed row of other sites meanwhile", "ms", most=2000),
    "fresh": Threshold("the 99th percentile to a fresh row of a queue after a part is back or a stopped worker is due for takeover", "s", most=10),
    "fence": Threshold("the transactions of stopped workers that the epochs refused", "", least=1),
    "cluster start": Threshold("the start of all nodes after a stop of all", "s", most=180),
    "cluster fresh": Threshold("the longest time to a fresh row of a queue after the start of all nodes", "s", most=10),
    "unacknowledged": Threshold("the loads with messages that the broker has not acknowledged", "", most=0),
    "acknowledged": Threshold("the messages that the broker acknowledged", "", least=1),
    "lost": Threshold("the acknowledged messages that are lost", "", most=0),
    "doubled": Threshold("the messages that are stored twice", "", most=0),
    "miscounted": Threshold("the difference between counted and stored sightings", "", least=0, most=0),
    "disordered": Threshold("the events that were stored after a later one of their device", "", most=0),
    "late": Threshold("the acknowledged messages without a row 45 s after their load ended together with a leader", "", most=0),
    "unroutable": Threshold("the messages that no queue took", "", most=0),
}


def required(rate, quiet, backlog, faults, stops, restart, ends=0):
    """Returns the names of the thresholds that a run must judge.

    `rate` is that of the due digests in messages a second, `quiet` the time without faults in seconds, `stops` the number of faults that stop a worker,
    and `ends` that of loads that end with a leader.
    """
    names = {"durable", "shares at start", "shares without load", "shares under load",
             "unacknowledged", "acknowledged", "lost", "doubled", "miscounted", "disordered", "unroutable"}
    if quiet:
        names |= {"steady", "whole", "longest"}
        if quiet >= SHORTEST_QUIET:
            names.add("kept up")
        if rate >= LIMITED_RATE:
            names |= {"worker", "worker and database"}
    if backlog:
        names |= {"edge rate", "others"}
    if faults:
        names.add("fresh")
        if stops:
            names.add("fence")
    if ends:
        names.add("late")
    if restart:
        names |= {"cluster start", "cluster fresh"}
    return names


def percentile(values, percent):
    """Returns the smallest value that this percentage of the values does not exceed, or None without values."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)] if ordered else None


class Judge:
    """Judges the figures of a run, each of which has to come."""

    def __init__(self, report, names):
        self.report, self.open = report, set(names)

    def judge(self, name, value, detail=""):
        """Compares a figure with its limit; None is a figure that could not be measured."""
        self.open.discard(name)
        threshold = THRESHOLDS[name]
        measured = "not measured" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
        return self.report.check(threshold.text(), threshold.permits(value), f"{measured}{'; ' if detail else ''}{detail}")

    def finish(self):
        """Fails for each figure that never came."""
        for name in sorted(self.open):
            self.judge(name, None)
