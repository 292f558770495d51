"""Checks that docs/reference/messages.md explains each warning: guide_messages.py PAGE SOURCE...

Each text of solo_warn or solo_kmp_warn contains a message of the page's table or is an exception below. Prints missing
messages and unused exceptions."""
import re
import sys

EXCEPTIONS = {
    "%s: Encountered user-directed warning: %s.": "the program's own, of an error directive",
    "error directive: %.*s": "the program's own, of an error directive in an object of GCC",
    '"%s", start_': "the reason why MPI did not start, whole",
    "%s %d: the program ends because of this": "the preceding lines name the failure",
    # invalid argument: the text names the argument and the action
    "omp_set_num_threads(%d)": "names the call",
    "omp_set_schedule(%#x)": "names the call",
    "SOLO_SERVER lists %s twice": "names the variable and the action",
    # the process ends
    "no memory for the thread-local variables": "more memory is the only remedy",
    "out of memory for a variable": "more memory is the only remedy",
    "thread-local variable of a CPU image": "a program that unloads code that runs",
    "too many servers or no memory": "more memory is the only remedy",
    "a parallel region of a CPU kernel with": "a limit of flang's kernels, named",
}

page = open(sys.argv[1]).read()
explained = re.findall(r"^\| `([^`]*)`", page, re.M)
said, bad = set(), 0
calls = 0
for path in sys.argv[2:]:
    source = open(path).read()
    for call in re.finditer(r"solo(?:_kmp)?_warn\(([^;]*);", source):
        if "const char *format" in call.group(1):
            continue
        calls += 1
        text = re.sub(r'"\s*"', "", call.group(1)).replace("\\\"", '"')
        reasons = [part for part in EXCEPTIONS if part in text]
        said.update(reasons)
        if not reasons and not any(message in text for message in explained):
            bad += 1
            print("failed: %s: docs/reference/messages.md does not explain: %s" % (path, text.split("\n")[0][:100]))
for part in sorted(set(EXCEPTIONS) - said):
    bad += 1
    print("failed: no source prints: %s" % part)
if calls < 25:
    bad += 1
    print("failed: only %d warnings found, expected at least 25" % calls)
sys.exit(bad != 0)
