#!/usr/bin/env python3
"""Computes the cost of device servers on many nodes from measured message costs: bench/results/remote_scale.txt.
  build/bench/solo-bench --issue 19 --json out.json && python3 bench/remote_scale.py out.json
"""
import json
import sys

HEAD, LAUNCH, COPY, BETWEEN = 8, 56, 40, 32  # bytes of messages: backends/remote/remote_wire.h
ARGUMENTS, ALIGN = 5, 16  # four of the region, and the launch environment
CLIENT_KIB, PROGRAM_KIB, THREADS = 66, 72, 3  # per connection with one queue: docs/remote.md
NODES = (1, 8, 64, 1000)


def padded(size):
    return -(-size // ALIGN) * ALIGN


def messages(devices, over_mpi):
    """Messages of a step by kind: one region per device, one row per neighbour. A copy between two servers is two messages:
    over MPI a send and a receive, else a copy to the client and one from it."""
    copies = 2 * (devices - 1)
    halves = {"SEND_TO": copies, "RECEIVE_FROM": copies} if over_mpi else {"COPY": 2 * copies}
    return {"LAUNCH": devices, **{kind: count for kind, count in halves.items() if count}}


def size(kinds):
    each = {"LAUNCH": padded(LAUNCH + 8 * ARGUMENTS), "COPY": padded(COPY)}
    return sum(count * each.get(kind, padded(BETWEEN)) for kind, count in kinds.items())


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        metrics = {m["name"]: m["static"] for m in map(json.loads, file)}
    for way in ("remote", "mpi_openmpi", "mpi_mpich"):
        if f"{way}/posted" not in metrics:
            continue
        post, trip = metrics[f"{way}/posted"], metrics[f"{way}/round_trip"]
        print(f"{way}: a posted message costs {post:.0f} ns, a round trip {trip:.0f} ns.")
        print("| nodes | messages a step | bytes a node | the program's thread, a step | starting "
              "| program's and servers' memory | servers' threads |")
        print("|---|---|---|---|---|---|---|")
        for nodes in NODES:
            kinds = messages(nodes, way != "remote")
            count = sum(kinds.values())
            print(f"| {nodes:,} | {count:,} | {size(kinds) / nodes:.0f} | {count * post / 1000:,.0f} us "
                  f"| {nodes * 5 * trip / 1000:,.0f} us | {nodes * (PROGRAM_KIB + CLIENT_KIB) / 1024:.1f} MiB "
                  f"| {nodes * THREADS:,} |")


if __name__ == "__main__":
    main()
