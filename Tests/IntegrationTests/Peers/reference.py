"""Computes the region events of a btsnoop capture from the rules alone: usage: reference.py CAPTURE CONFIG

Prints one JSON object a line: event, region, time (microseconds since the Unix epoch), state, cause, and rssi, distance, samples and lastSeen of the
deciding beacon. Supports data link 1002 with one legacy report in each record, and the default ranging.
"""

import json
import math
import struct
import sys
import tomllib

TIME_CONSTANT = 2.0  # seconds
FEWEST_SIGHTINGS = 3
SLOPE = math.log(10) / 20  # of ln distance, for each dB
PRIOR_MEDIAN, PRIOR_SIGMA = 5.0, 0.9  # metres, and of ln distance
FADING, NOISE = 6.0, 4.0  # dB
SHORTEST = 2.0  # metres: the prior decides about no shorter distance
UNITS = {"ms": 1_000, "s": 1_000_000, "m": 60_000_000}


def sightings(path):
    """Yields (time, uuid, major, minor, measured power, rssi) of every iBeacon, in order."""
    data = open(path, "rb").read()
    assert data[:16] == b"btsnoop\0" + struct.pack(">II", 1, 1002)
    offset = 16
    while offset < len(data):
        length, time = struct.unpack_from(">4xI8xq", data, offset)
        packet = data[offset + 24 : offset + 24 + length]
        offset += 24 + length
        start = packet.find(bytes.fromhex("1aff4c000215")) + 6
        major, minor, power = struct.unpack_from(">HHb", packet, start + 16)
        rssi = struct.unpack("b", packet[-1:])[0]
        yield time - 0xDCDDB30F2F8000, packet[start : start + 16].hex(), major, minor, power, rssi


def microseconds(text):
    unit = text.lstrip("0123456789.")
    return round(float(text[: -len(unit)]) * UNITS[unit])


class Beacon:
    """The filtered RSSI: a sample is weighted by its time, and moves the level by at most the weight of 10 dB."""

    level = None

    def hear(self, time, power, rssi):
        age = (time - self.last_seen) / 1e6 / TIME_CONSTANT if self.level is not None else math.inf
        if age >= 5:
            self.level, self.samples, self.squares = float(rssi), 1, 1.0
        else:
            weight = 1 - math.exp(-age)
            self.level += weight * max(-10.0, min(10.0, rssi - self.level))
            self.squares = (1 - weight) ** 2 * self.squares + weight**2
            self.samples += 1
        self.last_seen = time
        self.plain = 10 ** ((power - self.level) / 20)
        variance = SLOPE**2 * (FADING**2 + NOISE**2 * self.squares)
        share = PRIOR_SIGMA**2 / (PRIOR_SIGMA**2 + variance)
        self.posterior = self.plain**share * PRIOR_MEDIAN ** (1 - share)

    def facts(self, has_prior):
        distance = self.posterior if has_prior else self.plain
        return {"rssi": round(self.level, 1), "distance": round(distance, 2), "samples": self.samples, "lastSeen": self.last_seen}


class Region:
    def __init__(self, table, start):
        self.name = table["identifier"]
        self.key = [table["uuid"].replace("-", "")] + [table[key] for key in ("major", "minor") if key in table]
        self.within = table.get("within")
        self.beyond = table.get("leave-beyond", 1.5 * (self.within or 0))
        self.has_prior = self.within is None or self.within >= SHORTEST
        default = ("0s", "3s") if self.has_prior else ("2s", "2s")
        self.hold = {kind: microseconds(table.get("hold", span)) for kind, span in zip(("approach", "departure"), default)}
        self.enters_at_once = self.has_prior and "hold" not in table
        self.delay = microseconds(table.get("exit-delay", "30s"))
        self.quiet = {"enter": not table.get("notify-on-entry", True), "exit": not table.get("notify-on-exit", True)}
        self.state, self.deadline, self.facts = "unknown", start + self.delay, {}
        self.held = {"approach": [], "departure": []}

    def hear(self, beacon, time):
        """A region; one with `within` must have one beacon."""
        if self.within is None:
            return self.satisfy(beacon, time, "sighting")
        distance = beacon.posterior if self.has_prior else beacon.plain
        is_near = distance <= self.within
        has_held = self.holds("approach", is_near or self.enters_at_once, time) and is_near
        if has_held or self.state == "inside" and distance <= self.beyond:
            self.holds("departure", False, time)
            return self.satisfy(beacon, time, "approach")
        if self.state == "inside" and self.holds("departure", distance > self.beyond, time):
            return self.change("outside", time, "departure", beacon.facts(self.has_prior))

    def satisfy(self, beacon, time, cause):
        self.deadline, self.facts = time + self.delay, beacon.facts(self.has_prior)
        if self.state != "inside":
            self.change("inside", time, cause, self.facts)

    def holds(self, condition, is_met, time):
        self.held[condition] = self.held[condition] + [time] if is_met else []
        times = self.held[condition]
        return len(times) >= FEWEST_SIGHTINGS and time - times[0] >= self.hold[condition]

    def expire(self):
        self.change("outside", self.deadline, "silence", self.facts)

    def change(self, state, time, cause, facts):
        event = {"inside": "enter", "outside": "exit" if self.state == "inside" else "state"}[state]
        if self.quiet.get(event):
            event = "state"
        self.state = state
        if state == "outside":
            self.deadline, self.held["departure"] = math.inf, []
        print(json.dumps({"event": event, "region": self.name, "time": time, "state": state, "cause": cause, **facts}))


def main(capture, config):
    heard = list(sightings(capture))
    tables = tomllib.load(open(config, "rb"))["region"]
    regions = [Region(table, heard[0][0]) for table in tables]
    beacons = {}

    def expire(time):
        while (first := min(regions, key=lambda region: region.deadline)).deadline <= time:
            first.expire()

    for time, *identity, power, rssi in heard:
        expire(time)
        beacon = beacons.setdefault(tuple(identity), Beacon())
        beacon.hear(time, power, rssi)
        for region in regions:
            if identity[: len(region.key)] == region.key:
                region.hear(beacon, time)
    while any(region.deadline < math.inf for region in regions):
        expire(min(region.deadline for region in regions))


main(*sys.argv[1:])
