#!/usr/bin/env python3
"""Prints results of the GPU bundle's run.sh as a page: table.py results.jsonl >bench/results/gpu_NAME.txt"""
import json
import statistics
import sys

lines = [json.loads(line) for line in open(sys.argv[1], encoding="ascii")]
machine = next(line for line in lines if line["kind"] == "machine")
print("%(gpu)s, CUDA %(cuda)s, driver %(driver)s, %(cpus)d processors, Linux %(kernel)s, %(date)s" % machine)
print("By the bundle of `ninja gpu-bundle` (tests/gpu), offloading mandatory. Medians; stock is LLVM's libomptarget 19.\n")

kinds = {}
for line in lines:
    if line["kind"] not in ("machine", "bench", "bar"):
        verdicts = kinds.setdefault(line["kind"], {})
        verdicts[line["verdict"]] = verdicts.get(line["verdict"], 0) + 1
for kind, verdicts in kinds.items():
    print("%-12s %s" % (kind, ", ".join("%d %s" % (n, verdict) for verdict, n in verdicts.items())))

print("\n%-75s %8s  %-15s" % ("what", "ratio", "wanted"))
for line in lines:
    if line["kind"] == "bar" and "ratio" in line:
        print("%-75s %8.3g  %-15s %s" % (line["what"], line["ratio"], line["wanted"], line["verdict"]))

values = {}
for line in lines:
    if line["kind"] == "bench":
        values.setdefault((line["name"], line["unit"]), {}).setdefault(line["who"], []).append(line["p50"])
print("\n%-28s %-6s %12s %12s %7s" % ("name", "unit", "solo", "stock", "ratio"))
for (name, unit), by in values.items():
    if "solo_all" in by and "stock19_all" in by:
        ours, theirs = statistics.median(by["solo_all"]), statistics.median(by["stock19_all"])
        print("%-28s %-6s %12.5g %12.5g %7.2f" % (name, unit[:6], ours, theirs, (theirs / ours) if unit != "x" else ours / theirs))
print("\n%-28s %-6s %12s %12s %12s" % ("name", "unit", "raw driver", "solo", "solo, staged"))
for (name, unit), by in values.items():
    if "raw" in by:
        print("%-28s %-6s " % (name, unit) + " ".join("%12.5g" % statistics.median(by[who]) if who in by else "%12s" % "" for who in ("raw", "solo", "staged")))
