"""Checks a profile of program.c: numbers of events and nested times.
   check.py FILE MODE MEMORY      MEMORY: waits (asynchronous device), none"""
import json, sys
from collections import Counter

path, mode, memory = sys.argv[1:4]
THREADS, ROUNDS = 4, 300
trace = json.load(open(path, encoding="utf-8"))
events = [e for e in trace["traceEvents"] if e["ph"] == "X"]
wrong = []
def want(what, have, wanted):
    if have != wanted: wrong.append("%s: %s, expected %s" % (what, have, wanted))

seen = Counter((e["cat"], e["args"].get("bytes")) for e in events if not "failed" in e["args"])
of = Counter(e["cat"] for e in events if not "failed" in e["args"])
late = 1 if mode in ("destructor", "atexit") else 0
for t in range(THREADS):
    size = 8 * (1000 + t)
    # a copy is repeated if the table has evicted the mapping
    again = seen["HostToDev", size] - (ROUNDS + 1)
    want("to device, %d bytes" % size, again if again < 0 or again > ROUNDS // 50 else 0, 0)
    want("from device, %d bytes" % size, seen["DevToHost", size], ROUNDS + 1)
want("kernels", of["Kernel Target"], THREADS * (ROUNDS + 1) + 1 + late)
want("regions", of["Runtime: target exe"], THREADS * (ROUNDS + 1) + 1 + late)
want("enter data", of["Runtime: target data begin"], THREADS * ROUNDS + (mode == "fail"))
want("exit data", of["Runtime: target data end"], THREADS * ROUNDS)
want("update", of["Runtime: target data update"], THREADS * ROUNDS)
want("copies of 8 bytes to the device", seen["HostToDev", 8], 2)
want("copies of 56 bytes to the device", seen["HostToDev", 56], late)
want("device init", of["Runtime: device init"], 1)
want("image load", of["Runtime: image load"], 1)
want("allocations of 64 bytes", seen["DevAlloc", 64] >= 1, True)
want("waits", of["Runtime: synchronize"] > 0, memory == "waits")
want("failures", [e["cat"] for e in events if "failed" in e["args"]],
     ["Runtime: target exe"] if mode == "fail" else [])
want("dropped", trace["otherData"]["dropped"], 0)
want("kernel names", [e for e in events if e["cat"] == "Kernel Target" and
                      not ("scale" in e["name"] and e["name"] == e["args"]["kernel"])], [])
want("locations of constructs", [e for e in events if e["cat"].startswith("Runtime: target") and
                                 not e["args"]["location"].startswith(";")], [])
places = {e["args"]["location"] for e in events if e["cat"].startswith("Runtime: target")}
want("places", len(places), 4 + 2 * (mode == "fail"))
if len(sys.argv) > 4: want("file in locations", all(sys.argv[4] in p for p in places), True)

per_thread = {}
for e in events: per_thread.setdefault(e["tid"], []).append(e)
want("threads", len(per_thread), THREADS + 1)
for tid, own in per_thread.items():
    open_until = []
    for e in sorted(own, key=lambda e: (e["ts"], -e["dur"])):
        begin, end = round(e["ts"] * 1000), round(e["ts"] * 1000) + round(e["dur"] * 1000)
        while open_until and open_until[-1][0] <= begin: open_until.pop()
        if open_until and end > open_until[-1][0]: wrong.append("time is not nested: %s" % e)
        if e["cat"] == "Kernel Target" and "Runtime: target exe" not in [o[1] for o in open_until]:
            wrong.append("kernel outside its region: %s" % e)
        open_until.append((end, e["cat"]))
print("\n".join(wrong[:20]) or "%d events, all correct" % len(events))
sys.exit(1 if wrong else 0)
