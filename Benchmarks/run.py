#!/usr/bin/env python3
"""Runs the benchmark program and the C yardstick in turns and prints medians and their ratios.

usage: Benchmarks/run.py [-k ROUNDS] [-n EVENTS]
Fails when a ratio is above its limit or the two disagree about what the capture holds.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / ".build" / "bench"

# Job: our command, the yardstick's command, the most that ours may take in multiples of the yardstick's time.
JOBS = {
    "parse": ([".build/release/beaconmon-bench", "parse"], ["parse"], 1.5),
}
AGREE = ("advs", "wellformed", "accepted", "checksum")


def run(*command):
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def measure(command, capture):
    return json.loads(run(*command, str(capture), "5").splitlines()[-1])


def prepare(events):
    WORK.mkdir(parents=True, exist_ok=True)
    for source in sorted((ROOT / "Benchmarks" / "Yardstick").glob("*.c")):
        run("gcc", "-O3", "-Wall", "-Wextra", "-Werror", "-o", str(WORK / source.stem), str(source), "-lm")
    run("swift", "build", "-c", "release", "--product", "beaconmon-bench")
    capture = WORK / f"{events}.btsnoop"
    run(str(WORK / "generate"), str(capture), str(events))
    return capture


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-k", type=int, default=5, help="rounds (default 5)")
    parser.add_argument("-n", type=int, default=1_000_000, help="events in the capture (default 1,000,000)")
    options = parser.parse_args()
    capture = prepare(options.n)
    good = True
    print(f"{'job':8} {'ours ns':>9} {'C ns':>9} {'ratio':>7} {'limit':>7}")
    for job, (ours, yardstick, limit) in JOBS.items():
        yardstick = [str(WORK / yardstick[0]), *yardstick[1:]]
        rounds = [(measure(ours, capture), measure(yardstick, capture)) for _ in range(options.k)]
        for a, b in rounds:
            if any(a[key] != b[key] for key in AGREE):
                sys.exit(f"{job}: the results differ: {a} and {b}")
        mine = statistics.median(a["ns_per_adv"] for a, _ in rounds)
        theirs = statistics.median(b["ns_per_adv"] for _, b in rounds)
        good &= mine <= limit * theirs
        print(f"{job:8} {mine:9.2f} {theirs:9.2f} {mine / theirs:7.2f} {limit:7.2f}")
    sys.exit(0 if good else "a ratio is above its limit")


if __name__ == "__main__":
    main()
