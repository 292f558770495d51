#!/usr/bin/env python3
"""Times a question on a loaded machine: python3 bench/minima.py [--rounds N] PROGRAM CONTESTANT... (after `ninja bench_programs`)

Runs each case with each contestant in turns, pinned to two processors. Prints the minimum of all batches in ns, and the ratio of
each contestant to the first one.
"""
import argparse
import os
import subprocess

LIMIT_S = 60


def cases(path):
    """Names of the program's cases: strings such as gomp/barrier in its source."""
    source = open(os.path.join("bench", os.path.basename(path) + ".c")).read()
    return [part.split('"')[1] for part in source.split(".name = ")[1:]]


def minimum(path, case):
    try:
        run = subprocess.run([path, "--quick", "--only", case], capture_output=True, text=True, timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        return float("inf")
    lines = [line.split() for line in run.stdout.splitlines()]
    values = [float(v) for line in lines if line[0] == case for v in line[2:]]
    return min(values, default=float("inf"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("program")
    parser.add_argument("contestants", nargs="+")
    options = parser.parse_args()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-2:])
    paths = {who: os.path.join("build/bench", who, options.program) for who in options.contestants}
    first = options.contestants[0]
    for case in cases(paths[first]):
        best = dict.fromkeys(paths, float("inf"))
        for number in range(options.rounds):
            for who in list(paths)[::-1 if number % 2 else 1]:
                best[who] = min(best[who], minimum(paths[who], case))
        print(f"{case:26s}" + "".join(f" {who} {best[who]:12.1f}" + (f" ({best[who] / best[first]:.2f})" if who != first else "")
                                      for who in paths), flush=True)


if __name__ == "__main__":
    main()
