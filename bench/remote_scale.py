#!/usr/bin/env python3
"""What device servers cost on many nodes, from measured costs of messages: docs/remote.md's table.
  build/bench/solo-bench --only remote --json out.json && python3 bench/remote_scale.py out.json
"""
import json
import sys

HEAD, LAUNCH, COPY, PLAIN, WAIT = 8, 56, 40, 32, 24  # bytes of messages: backends/remote/remote_wire.h
PIECE, ALIGN = 128 << 10, 16
CLIENT_KIB, THREADS = 66, 3  # of a server per program with one queue: docs/remote.md says how measured


def padded(size):
    return -(-size // ALIGN) * ALIGN


def region(arguments, copied):
    """Messages and bytes of messages of one region: its copies, its launch, a mark to wait for."""
    pieces = -(-copied // PIECE) if copied else 0
    return pieces + 2, pieces * padded(COPY) + padded(LAUNCH + 8 * (arguments + 1)) + padded(HEAD)


def halo(neighbours):
    """The same of the edges of one device: a copy each, and the fences that order them."""
    return neighbours * (1 + 2), neighbours * (padded(COPY) + padded(WAIT) + padded(PLAIN))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        metrics = {m["name"]: m["static"] for m in map(json.loads, file)}
    post, trip = metrics["remote/posted"], metrics["remote/round_trip"]
    print(f"A posted message costs {post:.0f} ns, a round trip {trip:.0f} ns.")
    print("| nodes | messages a step | bytes a node | the program's thread | starting | program's memory | servers' threads |")
    print("|---|---|---|---|---|---|---|")
    for nodes in (1, 8, 64, 1000):
        messages, size = (a + b for a, b in zip(region(4, 0), halo(2)))
        step_us = nodes * messages * post / 1000
        print(f"| {nodes} | {nodes * messages} | {size} | {step_us:.0f} us | "
              f"{nodes * 5 * trip / 1000:.0f} us | {nodes * (72 + CLIENT_KIB) / 1024:.1f} MiB | {nodes * THREADS} |")


main()
