#!/usr/bin/env python3
"""Compares the prose of each folder with its budget in tests/lint/prose_budget.txt.

A row names a top-level folder, or a file or folder below, which then does not count for the rows above it. The row
"code" is the sum of the folders with program code.

Prose is the text of comments and Markdown files, without bench/results. The numbers are words, and idioms of the
private style per 1,000 words (CONTRIBUTING.md lists the idioms).

  prose.py            checks; a number above its budget is an error
  prose.py --list     prints each idiom as file:line: text
  prose.py --update   lowers budgets to the measured numbers; never raises one
  prose.py --add PATH adds a row for a new subject
"""
import collections
import os
import re
import subprocess
import sys

BUDGET = "tests/lint/prose_budget.txt"
LIMITED = ("runtime", "abi", "backends", "tools", "ports")  # one common limit of words
IDIOMS = {
    "who": r"\bwho(?:se|m)?\b",
    "told": r"\b(?:is|are|was|were|be|gets?) told\b|\btells?\b(?! apart)",
    "what is": r"\b(?:whoever|whatever|what (?:is|was|has|had|runs|comes|goes|waits|belongs|happens))\b",
    "said": r"\b(?:says?|said)\b",
    "person": r"\b(?:knows?|asks?|wants?|meets?|gives? back|goes on|went on|of its own|of their own|by itself)\b",
    "where": r"\bwhere (?:there|it|they|that|nothing|one)\b",
    "odd": r"\b(?:amid|beside|thereby|likewise|so be it|the like|none but|nothing but|seldom|whereof)\b",
}
BLOCK = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
HASH = re.compile(r'^\s*[#!][^\n]*|""".*?"""', re.S | re.M)
FENCE = re.compile(r"```.*?```", re.S)


def blank(match):
    return "\n" * match.group().count("\n")


def prose(name, text):
    """Returns the prose of a file with all its line breaks, so that line numbers stay valid."""
    if name.endswith((".md", ".rst")):
        return FENCE.sub(blank, text)
    if name.endswith((".c", ".h", ".cpp", ".hpp", ".inc", ".S", ".awk")):
        pattern = BLOCK
    elif name.endswith((".sh", ".py", ".ninja", ".list", ".f90")) or "/" not in name:
        pattern = HASH
    else:
        return ""
    parts, end = [], 0
    for match in pattern.finditer(text):
        parts += ["\n" * text.count("\n", end, match.start()), match.group()]
        end = match.end()
    return "".join(parts + ["\n" * text.count("\n", end)])


def measure(listing, rows):
    words, idioms = collections.Counter(), collections.Counter()
    names = subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard"], text=True).split("\n")
    for name in names:
        if not os.path.isfile(name) or name.startswith("bench/results/"):
            continue
        with open(name, errors="replace") as source:
            text = prose(name, source.read())
        folder = row_of(name, rows)
        words[folder] += len(text.split())
        for kind, pattern in IDIOMS.items():
            for match in re.finditer(pattern, text, re.I):
                idioms[folder] += 1
                if listing:
                    line = text.count("\n", 0, match.start()) + 1
                    around = " ".join(text[max(0, match.start() - 50) : match.end() + 50].split())
                    print(f"{name}:{line}: [{kind}] {around}")
    return words, idioms


def row_of(name, rows):
    """The longest row of the budget that names the file or a folder above it."""
    fitting = [row for row in rows if name == row or name.startswith(row + "/")]
    return max(fitting, key=len) if fitting else name.split("/")[0] if "/" in name else "top"


def read_budget(text):
    """Returns {folder: (idioms per 1,000 words, words)}; the row "code" has no rate."""
    rows = [line.split() for line in text.split("\n") if line and not line.startswith("#")]
    return {folder: (float(rate), int(count)) for folder, rate, count in rows}


def raised(budget):
    """Budgets that are higher than in the last commit that changed the file."""
    old = subprocess.run(["git", "show", f"HEAD:{BUDGET}"], capture_output=True, text=True)
    previous = read_budget(old.stdout) if old.returncode == 0 else {}
    return [f for f, row in budget.items() if f in previous and (row[0] > previous[f][0] or row[1] > previous[f][1])]


def main():
    with open(BUDGET) as source:
        text = source.read()
    budget = read_budget(text)
    added = sys.argv[2:] if "--add" in sys.argv[1:2] else []
    words, idioms = measure("--list" in sys.argv, list(budget) + added)
    measured = {f: (round(1000 * idioms[f] / words[f], 1) if words[f] else 0.0, words[f]) for f in words}
    measured["code"] = (0.0, sum(words[f] for f in words if f.split("/")[0] in LIMITED))
    if "--update" in sys.argv or added:
        header = [line for line in text.split("\n") if line.startswith("#")]
        for folder, (rate, count) in sorted(measured.items()):
            limit = budget.get(folder, (rate, count))
            header.append(f"{folder} {min(rate, limit[0])} {min(count, limit[1])}")
        with open(BUDGET, "w") as out:
            out.write("\n".join(header) + "\n")
        return 0
    bad = 0
    print(f"{'folder':10} {'idioms per 1,000 words':>24} {'words':>18}")
    for folder, (rate, count) in sorted(measured.items()):
        if folder not in budget:
            print(f"{folder}: no budget; run tests/lint/prose.py --update")
            bad += 1
            continue
        limit = budget[folder]
        over = "  above the budget" if rate > limit[0] or count > limit[1] else ""
        bad += over != ""
        print(f"{folder:10} {rate:10.1f} of {limit[0]:10.1f} {count:9} of {limit[1]:8}{over}")
    for folder in raised(budget):
        print(f"{BUDGET}: the budget of {folder} was raised; it may only be lowered")
        bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
