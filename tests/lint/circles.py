#!/usr/bin/env python3
"""Finds circular dependencies of files. A unit is a source with the header of the same name. A unit depends on the
files that the source or the header includes, and on the files that define symbols of the object.

Also limits the levels of dependence between the folders of runtime/.

usage: circles.py ROOT
Exit status 1: there is a circle. 77: an object is missing or older than its source."""
import os
import re
import subprocess
import sys

FOLDERS = ("runtime", "abi", "backends", "tools")
# Folders of objects, in the order of search: all backends of this machine, with the remote backend, tools.
BUILDS = ("build/glibc", "build/musl-remote", "build/tools")
# Units without objects: device code and driver stubs.
NOT_BUILT = re.compile(r"^(abi/device/|backends/simt/device/|backends/needed$|backends/backends$|backends/cuda/cuda_stub$|"
                       r"runtime/base/empty$)")
# Sources that are compiled for each implementation of MPI.
OVER_MPI = re.compile(r"^(backends/remote/remote_mpi|tools/solo_server_mpi$)")
MPIS = ("openmpi", "mpich")
MOST_LEVELS = 8  # of the folders of runtime/ (ARCHITECTURE.md)
# Weak references to functions of libomp, which abi/kmpc also defines.
LIBOMP = {"__kmpc_get_target_offload"}


def sources(root):
    """Returns {path without .c or .h: files}."""
    units = {}
    for top in FOLDERS:
        for folder, _, files in os.walk(os.path.join(root, top)):
            for name in files:
                if name.endswith((".c", ".h")):
                    path = os.path.relpath(os.path.join(folder, name), root)
                    units.setdefault(path[:-2], []).append(path)
    return units


def add_includes(root, units, needs):
    for unit, files in units.items():
        for path in files:
            with open(os.path.join(root, path), errors="replace") as text:
                found = re.findall(r'^\s*#\s*include\s+"([^"]+)\.h"', text.read(), re.M)
            for name in found:
                places = (os.path.normpath(os.path.join(os.path.dirname(path), name)), name)
                other = next((p for p in places if p in units), unit)
                if other != unit:
                    needs[unit].setdefault(other, set())


def objects(root, units):
    """Returns {unit: object} and the first source with a missing or old object."""
    found = {}
    with open(os.path.join(root, "build/config.ninja"), errors="replace") as text:
        configured = text.read()
    for unit in sorted(units):
        backend = re.match(r"backends/[a-z]+/", unit)
        if backend and backend[0] + "sources.list" not in configured and not backend[0].endswith("/remote/"):
            continue
        source = os.path.join(root, unit + ".c")
        if not os.path.exists(source) or NOT_BUILT.match(unit):
            continue
        paths = [os.path.join(root, build, unit + ".o") for build in BUILDS]
        paths.append(os.path.join(root, "build/tools", os.path.basename(unit) + ".o"))
        if OVER_MPI.match(unit):
            name = "solo_server" if unit.startswith("tools/") else os.path.basename(unit)
            paths = [os.path.join(root, build, "backends/remote", mpi, name + ".o")
                     for build in ("build/glibc-remote", "build/tools") for mpi in MPIS]
            if not any("lib/" + mpi + "/" in configured for mpi in MPIS):
                continue
        paths = [p for p in paths if os.path.exists(p)]
        if not paths or os.path.getmtime(paths[0]) < os.path.getmtime(source):
            return {}, unit + ".c"
        found[unit] = paths[0]
    return found, None


def add_symbols(found, needs):
    unit_of = {path: unit for unit, path in found.items()}
    text = subprocess.run(["nm", "-A"] + sorted(unit_of), capture_output=True, text=True, check=True).stdout
    definers, wanted, defines = {}, [], {}
    for line in text.splitlines():
        path, rest = line.split(":", 1)
        words = rest.split()
        unit = unit_of[path]
        if len(words) == 3 and words[1] in "TDBRVWC":
            definers.setdefault(words[2], set()).add(unit)
            defines.setdefault(unit, set()).add(words[2])
        elif len(words) == 2 and not (words[0] in "wv" and words[1] in LIBOMP):
            wanted.append((unit, words[1]))
    # skips units that replace other units at link time (entries_linked.c, none.c ...)
    stand_ins = {u for u, names in defines.items() if all(len(definers[n]) > 1 for n in names)}
    for unit, symbol in wanted:
        others = definers.get(symbol, set())
        for other in others - stand_ins if len(others) > 1 else others:
            if other != unit:
                needs[unit].setdefault(other, set()).add(symbol)


def circles(needs):
    """Returns strongly connected components of at least two units (Tarjan)."""
    index, low, stack, on, out = {}, {}, [], set(), []
    for start in sorted(needs):
        if start in index:
            continue
        work = [(start, iter(sorted(needs[start])))]
        index[start] = low[start] = len(index)
        stack.append(start)
        on.add(start)
        while work:
            unit, rest = work[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on.add(other)
                    work.append((other, iter(sorted(needs[other]))))
                    break
                if other in on:
                    low[unit] = min(low[unit], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[unit])
                if low[unit] == index[unit]:
                    circle = []
                    while not circle or circle[-1] != unit:
                        circle.append(stack.pop())
                        on.discard(circle[-1])
                    if len(circle) > 1:
                        out.append(sorted(circle))
    return out


def levels(needs, part_of):
    """Returns the length of the longest chain of parts; part_of maps a unit to its part or None."""
    below, deep = {}, {}
    for unit in needs:
        part = part_of(unit)
        if part:
            below.setdefault(part, set()).update(p for p in map(part_of, needs[unit]) if p and p != part)

    def level(part):
        if part not in deep:
            deep[part] = 1 + max(map(level, below[part]), default=0)
        return deep[part]

    return max(map(level, below), default=0)


def room_of(unit):
    names = unit.split("/")
    return names[1] if names[0] == "runtime" and len(names) == 3 else None


def main():
    root = sys.argv[1]
    units = sources(root)
    needs = {unit: {} for unit in units}
    add_includes(root, units, needs)
    built = os.path.exists(os.path.join(root, "build/config.ninja"))
    found, lacking = objects(root, units) if built else ({}, "any source")
    if found:
        add_symbols(found, needs)
    bad = circles(needs)
    for circle in bad:
        print("circular dependency of %d files: %s" % (len(circle), " ".join(circle)))
        for a in circle:
            for b in circle:
                if b in needs[a]:
                    print("  %s depends on %s%s" % (a, b, ": " + " ".join(sorted(needs[a][b])) if needs[a][b] else ""))
    rooms = 0 if bad else levels(needs, room_of)
    if rooms > MOST_LEVELS:
        print("the folders of runtime/ have %d levels, limit %d" % (rooms, MOST_LEVELS))
        bad.append([])
    if lacking:
        print("skipped: no current object of %s; run ninja to check symbols (includes: %s)"
              % (lacking, "wrong" if bad else "correct"))
        return 1 if bad else 77
    if not bad:
        chain = levels(needs, lambda unit: unit if unit.startswith("runtime/") else None)
        print("no circles among %d files; runtime/: folders on %d levels, files on %d" % (len(units), rooms, chain))
    return 1 if bad else 0


sys.exit(main())
