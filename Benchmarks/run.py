#!/usr/bin/env python3
"""Runs the programs and the C yardstick in turns. Prints the medians of the rounds, the least and the most, and the ratio of the best.

usage: Benchmarks/run.py [-k ROUNDS] [-n EVENTS] [PART...]
Needs a release build (`make bench` makes it first). Fails if a figure is above its limit, or if the two disagree about the
contents of their input.
"""
import argparse
import sys

from measuring import captures, circles, daemon, heading, indoor, load, radio, routes, screens, sessions, signals
from measuring.setup import prepare
from measuring.table import Table

PARTS = {
    "captures": lambda table, options: captures.measure(table, options.k, options.n),
    "circles": lambda table, options: circles.measure(table, options.k),
    "indoor": lambda table, options: indoor.measure(table, options.k),
    "heading": lambda table, options: heading.measure(table, options.k),
    "routes": lambda table, options: routes.measure(table, options.k),
    "signals": lambda table, options: signals.measure(table, options.k),
    "radio": lambda table, options: radio.measure(table, options.k),
    "daemon": lambda table, options: daemon.measure(table, options.k),
    "load": lambda table, options: load.measure(table, options.k),
    "screens": lambda table, options: screens.measure(table, options.k),
    "sessions": lambda table, options: sessions.measure(table, options.k),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-k", type=int, default=11, metavar="ROUNDS", help="rounds (default 11)")
    parser.add_argument("-n", type=int, default=1_000_000, metavar="EVENTS", help="events in the capture (default 1,000,000)")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"default all of {', '.join(PARTS)}")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"unknown part {sorted(unknown)[0]!r}; the parts are {', '.join(PARTS)}")
    prepare()
    table = Table()
    for part in options.parts or PARTS:
        PARTS[part](table, options)
    if table.failures:
        sys.exit("above the limit: " + ", ".join(table.failures))


if __name__ == "__main__":
    main()
