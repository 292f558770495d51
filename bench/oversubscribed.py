#!/usr/bin/env python3
"""Times oversubscribed.c with solo's and libomp's host threads, in turns.

  oversubscribed.py [--rounds N] [--cases 1,2,3,busy,quota] [--shapes held:4,...] [--more NAME=PROGRAM]

Cases: N copies at a time; together with a program that computes; in a cgroup with a quota of 1.5 processors
(cgroup version 1 or 2, as root). Prints the median of each program and its ratio to libomp.
"""
import argparse
import os
import statistics
import subprocess
import threading
import time

OUT = "build/bench/oversubscribed"
LIBOMP = "/usr/lib/llvm-19/lib"
REPETITIONS = {"held": 3000, "barrier": 10000, "region": 5000}
SHAPES = "held:2,held:3,held:4,barrier:2,barrier:3,barrier:4,region:2,region:4"
LIMIT_S = 60
PERIOD_US = 100000
GROUPS = (  # folder, file with the quota, its text
    ("/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", f"{PERIOD_US * 3 // 2}"),
    ("/sys/fs/cgroup", "cpu.max", f"{PERIOD_US * 3 // 2} {PERIOD_US}"),
)


def build():
    source = "bench/oversubscribed.c"
    os.makedirs(os.path.dirname(OUT), exist_ok=True)
    subprocess.run(["sh", "bench/build.sh", "static", source, OUT + ".solo"], check=True)
    subprocess.run(["sh", "bench/build.sh", "host", source, OUT + ".libomp"], check=True)
    return {"solo": OUT + ".solo", "libomp": OUT + ".libomp"}


class Quota:
    """A cgroup with a quota; `path` is None if it cannot be created."""

    def __enter__(self):
        self.path = None
        for root, file, text in GROUPS:
            path = os.path.join(root, f"solo-bench-{os.getpid()}")
            try:
                os.mkdir(path)
                with open(os.path.join(path, file), "w") as f:
                    f.write(text)
                self.path = path
                break
            except OSError:
                if os.path.isdir(path):
                    os.rmdir(path)
        return self

    def __exit__(self, *_):
        if self.path:
            os.rmdir(self.path)

    def enter(self):
        with open(os.path.join(self.path, "cgroup.procs"), "w") as f:
            f.write(str(os.getpid()))


def seconds(command, copies, prepare=None):
    start = time.monotonic()
    running = [subprocess.Popen(command, preexec_fn=prepare) for _ in range(copies)]
    watchdog = threading.Timer(LIMIT_S, lambda: [p.kill() for p in running])
    watchdog.start()
    failed = [p for p in running if p.wait() != 0]
    watchdog.cancel()
    used = time.monotonic() - start
    if failed and used < LIMIT_S:
        raise SystemExit(f"{command} fails")
    return used


def one_run(case, command, quota):
    if case == "quota":
        return seconds(command, 1, quota.enter)
    if case != "busy":
        return seconds(command, int(case))
    busy = subprocess.Popen(["sh", "-c", "while :; do :; done"])
    try:
        return seconds(command, 1)
    finally:
        busy.kill()
        busy.wait()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--cases", default="1,2,3,busy,quota")
    parser.add_argument("--shapes", default=SHAPES)
    parser.add_argument("--more", action="append", default=[])
    options = parser.parse_args()
    programs = build()
    programs.update(more.split("=", 1) for more in options.more)
    print(f"# {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; median ms of {options.rounds} rounds, by libomp")
    print(f"{'shape':10} {'case':6}" + "".join(f" {name:>9}" for name in programs)
          + "".join(f" {name + '/omp':>11}" for name in programs if name != "libomp"))
    with Quota() as quota:
        for shape in options.shapes.split(","):
            kind, threads = shape.split(":")
            for case in options.cases.split(","):
                if case == "quota" and not quota.path:
                    print(f"{shape:10} {case:6} skipped: no cgroup can be created")
                    continue
                times = {name: [] for name in programs}
                for turn in range(options.rounds):
                    for name in list(programs)[:: 1 if turn % 2 == 0 else -1]:
                        command = [programs[name], kind, threads, str(REPETITIONS[kind])]
                        times[name].append(one_run(case, command, quota))
                median = {name: statistics.median(t) for name, t in times.items()}
                print(f"{shape:10} {case:6}" + "".join(f" {1000 * m:9.1f}" for m in median.values())
                      + "".join(f" {median[name] / median['libomp']:11.2f}" for name in programs if name != "libomp"),
                      flush=True)
    print(f"# load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
