#!/usr/bin/env python3
"""Runs the programs and the C yardstick in turns. Prints the medians of the rounds, the least and the most, and the ratio of the best.

usage: Benchmarks/run.py [-k ROUNDS] [-n EVENTS]
Needs a release build (`make bench` makes it first). Fails if a figure is above its limit, or if the two disagree about the
contents of their input.
"""
import argparse
import sys

from measuring import captures, circles, daemon, indoor, radio, sessions, signals
from measuring.setup import prepare
from measuring.table import Table


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-k", type=int, default=11, metavar="ROUNDS", help="rounds (default 11)")
    parser.add_argument("-n", type=int, default=1_000_000, metavar="EVENTS", help="events in the capture (default 1,000,000)")
    options = parser.parse_args()
    prepare()
    table = Table()
    captures.measure(table, options.k, options.n)
    circles.measure(table, options.k)
    indoor.measure(table, options.k)
    signals.measure(table, options.k)
    radio.measure(table, options.k)
    daemon.measure(table, options.k)
    sessions.measure(table, options.k)
    if table.failures:
        sys.exit("above the limit: " + ", ".join(table.failures))


if __name__ == "__main__":
    main()
