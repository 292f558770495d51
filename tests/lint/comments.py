#!/usr/bin/env python3
"""Checks that comments and documents name existing files, identifiers (solo_, SOLO_, kmpc_), sections of
docs/abi-facts.md, and functions after "pairs with". A section rule is one line.
  comments.py [FOLDER...]   reports only these folders
  comments.py --mend        joins section rules that a formatter has broken
"""
import fnmatch
import os
import re
import subprocess
import sys

CODE = (".c", ".h", ".cc", ".cpp")
TEXT = CODE + (".sh", ".py", ".ninja", ".list", ".map", ".ld", ".f90", ".awk", ".txt", ".s")
BROKEN_RULE = re.compile(r"^/\* -{3,}[^\n]*\n \*/$", re.M)
COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'|//[^\n]*|/\*.*?\*/', re.S)
FILE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./*{},<>$-]*\.(?:\[ch\]|c|h|cc|sh|py|md|ninja|list|f90)(?![.(/\w])")
WORD = re.compile(r"(?<![\w-])(?:solo|SOLO|kmpc)_\w+")
FACTS = re.compile(r"abi-facts(?:\.md)?,? (\d+(?:\.\d+)?)((?:(?:,| and| to) \d+(?:\.\d+)?)*)")
# "pairs with release (lock.c)", "pairs with the fence in take": the function's name
PARTNER = re.compile(r"\bpairs? with (?:(?:the|that|an?) (?:\w+ )+?in (?:front of )?)?([\w.]+?)(?:'s)?(?=[\s,;:()*/]|\.\s|$)")
NO_NAME = {"the", "that", "a", "an", "itself", "those", "another", "each"}
# Files of other projects.
OTHERS = set("""cuda.h hsa.h hsa_ext_amd.h link.h elf.h zlib.h zstd.h OffloadBinary.h OffloadAPI.h
  prog.c prog.f90 a.c f.h both.h file.c dbg.c""".split())
PLACEHOLDER = re.compile(r"[{}<>$]|NAME|FILE|FOLDER")


def tracked():
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True)
    return [n for n in names.stdout.split("\n") if n and os.path.isfile(n)]


def split(text):
    """Returns the comments of a C source as (line, text), and the other text."""
    comments, rest, at = [], [], 0
    for m in COMMENT.finditer(text):
        if m.group().startswith(("/*", "//")):
            rest.append(text[at : m.start()])
            at = m.end()
            comments.append((text.count("\n", 0, m.start()) + 1, m.group()))
    rest.append(text[at:])
    return comments, " ".join(rest)


def exists(name, f, files, ends):
    """Returns whether a file matches the name or shell pattern in a comment of f."""
    if name in files:
        return True
    if f.endswith("README.md") and "/" in f and "/" not in name:  # a file below the folder
        files = [g for g in files if g.startswith(os.path.dirname(f) + "/")]
    elif name in ends:
        return True
    return any(fnmatch.fnmatchcase(g, name) or fnmatch.fnmatchcase(g, "*/" + name) for g in files)


def mend(files):
    def on_one_line(m):
        title = m.group().split("\n")[0].rstrip("- ")
        return title + " " + "-" * max(3, 96 - len(title)) + " */"

    for f in files:
        if f.endswith(CODE):
            with open(f) as source:
                text = source.read()
            mended = BROKEN_RULE.sub(on_one_line, text)
            if mended != text:
                with open(f, "w") as source:
                    source.write(mended)


def main():
    files = tracked()
    if sys.argv[1:] == ["--mend"]:
        return mend(files)
    folders = tuple(sys.argv[1:])
    ends = set()
    for f in files:
        parts = f.split("/")
        ends.update("/".join(parts[i:]) for i in range(len(parts)))
    facts = set()
    with open("docs/abi-facts.md") as f:
        for line in f:
            m = re.match(r"#+ (\d+(?:\.\d+)?)", line)
            if m:
                facts.add(m.group(1))

    comments, code, functions, own = [], set(), set(), set()
    for f in files:
        if not f.endswith(TEXT + (".md",)) and f != "configure.sh":
            continue
        with open(f, errors="replace") as source:
            text = source.read()
        if f.endswith(CODE):
            found, rest = split(text)
            comments += [(f, line, c) for line, c in found]
            code.update(re.findall(r"\w+", rest))
            functions.update(re.findall(r"(\w+)\s*\(", rest))
        elif f.endswith(".md"):
            own |= set(re.findall(r"^```\w+ (\S+)$", text, re.M))  # examples of the pages
            if f != "CHANGELOG.md":
                comments += [(f, i + 1, line) for i, line in enumerate(text.split("\n"))]
        else:
            code.update(re.findall(r"\w+", text))
            if f.endswith((".sh", ".ninja", ".list")):
                found = re.finditer(r"^[ \t]*#[^!][^\n]*", text, re.M)
                comments += [(f, text.count("\n", 0, m.start()) + 1, m.group()) for m in found]
    pieces = {p for w in code for p in (w, w.lower())}  # macros paste solo_ ## name

    bad = 0

    def complain(f, line, why):
        nonlocal bad
        if not folders or f.startswith(folders):
            print(f"{f}:{line}: {why}")
            bad += 1

    for f, first, comment in comments:
        for offset, text in enumerate(comment.split("\n")):
            line = first + offset
            for m in FILE.finditer(text):
                name = m.group().lstrip("./")
                if PLACEHOLDER.search(name) or name.split("/")[-1] in OTHERS:
                    continue
                if name in own:
                    continue
                if exists(name, f, files, ends):
                    continue
                if text[max(0, m.start() - 1) : m.start()] in ("<", "/", "~", "*", "$", "-"):
                    continue
                if name.startswith("build/"):
                    continue
                complain(f, line, f"no file {name}")
            if f.endswith(".md"):
                continue
            for m in WORD.finditer(text):
                word = m.group()
                if word.endswith("_") or text[m.end() : m.end() + 1] in ("*", "#", "."):
                    if any(p.startswith(word) for p in pieces):
                        continue
                    if text[m.end() : m.end() + 1] == "." and word in pieces:
                        continue
                elif word in pieces:
                    continue
                complain(f, line, f"no {word}")
        for m in FACTS.finditer(comment.replace("\n * ", " ")):
            for section in re.findall(r"\d+(?:\.\d+)?", m.group()):
                if section not in facts:
                    complain(f, first, f"docs/abi-facts.md has no section {section}")
        for m in PARTNER.finditer(re.sub(r"\s+(\* )?", " ", comment) if f.endswith(CODE) else ""):
            if m.group(1) not in NO_NAME | functions:
                complain(f, first, f"pairs with {m.group(1)}: no such function")
        if f.endswith(CODE) and re.search(r"abi-facts(?!(\.md)?,? \d)", comment.replace("\n * ", " ")):
            complain(f, first, "abi-facts: the section is missing")
        if BROKEN_RULE.match(comment):
            complain(f, first, "broken section rule; run comments.py --mend")
    if not bad:
        print("all names in comments exist")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
