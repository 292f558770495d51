"""Does docs/guide.md explain what the library warns of? guide_messages.py GUIDE SOURCE...: each text of a solo_warn or
solo_kmp_warn holds a message of the guide's table, or is named below with the reason why it is not there. Prints what
is missing, and exceptions that nothing says."""
import re
import sys

EXCEPTIONS = {
    # the text of another message, passed on
    "%s: Encountered user-directed warning: %s.": "the program's own, of an error directive",
    '"%s", start_': "the reason why MPI did not start, whole",
    "%s %d: the program ends because of this": "the lines before it say what failed",
    # a call with an argument that it cannot have: the text says which and what is done
    "omp_set_num_threads(%d)": "names the call",
    "omp_set_schedule(%#x)": "names the call",
    "SOLO_SERVER lists %s twice": "names the variable and what is done",
    # the process is at its end
    "no memory for thread-local": "nothing to do but to have more memory",
    "out of memory for a variable": "nothing to do but to have more memory",
    "thread-local variable of a CPU image": "a program that unloads code that runs",
    "too many servers or no memory": "nothing to do but to have more memory",
    "a parallel region of a CPU kernel with": "a limit of flang's kernels, named",
}

guide = open(sys.argv[1]).read().split("## What messages mean", 1)[1]
explained = re.findall(r"^\| `([^`]*)`", guide, re.M)
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
            print("failed: %s: docs/guide.md does not explain: %s" % (path, text.split("\n")[0][:100]))
for part in sorted(set(EXCEPTIONS) - said):
    bad += 1
    print("failed: nothing says: %s" % part)
if calls < 25:
    bad += 1
    print("failed: only %d warnings are found" % calls)
sys.exit(bad != 0)
