"""Checks the profile of test_profile.c."""
import json, sys
from collections import Counter

trace = json.load(open(sys.argv[1], encoding="utf-8"))
room = int(sys.argv[2])
events = [e for e in trace["traceEvents"] if e["ph"] == "X"]
names = Counter(e["name"] for e in events)
wrong = []
def want(what, have, wanted):
    if have != wanted: wrong.append("%s: %r, expected %r" % (what, have, wanted))
for name in ('quote " backslash \\ slash /', "tab\t newline\n escape\033 delete\177",
             "umlaut \u00e4, \u20ac, \U0001f600", "Latin-1 \u00e4, cut \u00e2\u0082",
             "too long \u00c0\u00af, surrogate \u00ed\u00a0\u0080, \u00f4\u0090\u0080\u0080",
             "", "x" * 4096, "HostToDev"):
    want(name[:40], names[name], 1)
want("failed", [e["args"]["failed"] for e in events if "failed" in e["args"]], ['"no" memory'])
want("absent", names["Runtime: target exe"] + names["DevFill"], 0)
dropped = trace["otherData"]["dropped"]
kernels = sum(names["reused %d" % i] for i in range(3))
per_thread = Counter(e["tid"] for e in events if e["name"].startswith("reused"))
if room >= 8 * 400:
    want("reused 0", names["reused 0"], 8 * 134)
    want("reused 1", names["reused 1"], 8 * 133)
    want("per thread", sorted(per_thread.values()), [400] * 8)
else: # full: missing events must be reported
    want("room", len(events) <= room and len(events) > room // 2, True)
    want("dropped", kernels + dropped >= 8 * 400, True)
want("durations", {e["dur"] for e in events}, {1234.567})
want("bytes", {e["args"]["bytes"] for e in events}, {2**64 - 1})
want("places", {e["args"]["location"] for e in events}, {';a "file".c;f\\n;1;2;;'})
print("\n".join(wrong) or "%d events, all correct, %d dropped" % (len(events), dropped))
sys.exit(1 if wrong else 0)
