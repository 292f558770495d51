"""Writes the table function x platform x test of OffloadAPI.h. Usage: table.py HEADER CALLS (lines of calls.c)."""
import re
import sys
from collections import defaultdict

COLUMNS = "host cuda hsa simt-sm_90 simt-gfx90a remote-host remote-cuda remote-hsa remote-simt".split()
TESTS = "FCA"

functions = sorted(set(re.findall(r"\b(ol[A-Z]\w+)\(", open(sys.argv[1]).read())))
functions = [f for f in functions if not f.endswith("WithCodeLoc")]
good, bad = defaultdict(set), set()
for line in open(sys.argv[2]):
    function, column, result, test = line.split()
    if result == "ok":
        good[function, column].add(test)
    else:
        bad.add((function, column))


def cell(function, column):
    tests = "".join(t for t in TESTS if t in good[function, column])
    error = "e" if (function, column) in bad else ""
    return (tests or ("unsupported" if error else "**untested**")) + (error if tests else "")


print("""# Offload interface: functions and platforms

`sh tests/offload/table.sh --update` writes this page from the calls that tests make. `ninja test` compares it.
The drivers of `cuda` and `hsa` are simulated, also in the device server of `remote`.

* F: `test_functions` calls the function with success and checks its effect.
* C: so does the conformance suite (memory, queue, event, module, launch).
* A: so does `test_offload` (handles, host functions, threads, failures, fork).
* e: a test calls the function, and the result is an error.
* unsupported: all results are errors.
""")
print("| function | " + " | ".join(COLUMNS) + " |")
print("|---|" + "---|" * len(COLUMNS))
for f in functions:
    print(f"| `{f}` | " + " | ".join(cell(f, c) for c in COLUMNS) + " |")
missing = [f"{f} on {c}" for f in functions for c in COLUMNS if (f, c) not in bad and not good[f, c]]
if missing:
    sys.exit("not called: " + ", ".join(missing))
