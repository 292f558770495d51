#!/usr/bin/env python3
"""Runs libgomp's tests of the host with libgomp, libomp and solo's static programs, and compares the results (README.md).

Usage: tests/suite_gomp/run.py [-j N] [--form FORM]... [--threads N] [--keep] [PATTERN...]

PATTERN: shell patterns for test names, such as 'c/cancel-*'. Forms: libgomp, libomp, solo, device (solo with
SOLO_GOMP_DEVICE=1; tests with target constructs). Each difference from libgomp must be in expected.list. Writes
build/suite_gomp/table.txt.
"""
import argparse
import concurrent.futures
import fnmatch
import glob
import os
import re
import shutil
import signal
import subprocess
import sys

import dejagnu

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WORK = os.path.join(ROOT, "build", "suite_gomp")
BIN = os.path.join(ROOT, "build", "bin")
STOCK = "/usr/lib/llvm-19/lib"
FORMS = ("libgomp", "libomp", "solo", "device")
LIMIT = 60  # seconds of one compilation or run
# name: (folders, file names, language)
SUITES = {
    "c": (("libgomp.c", "libgomp.c-c++-common"), r"\.c$", "c"),
    "c++": (("libgomp.c++", "libgomp.c-c++-common"), r"\.(C|c)$", "c++"),
    "fortran": (("libgomp.fortran",), r"\.[fF](|90|95|03|08)$", "fortran"),
}
# results of libgomp for tests that a form must pass; "-": the test requires a device
PASSES = {"solo": ("pass",), "device": ("pass", "-")}
DEVICE = {"offload_device", "offload_device_nonshared_as"}


def sources():
    """The folder of libgomp in the unpacked sources."""
    found = sorted(glob.glob(os.path.join(WORK, "gcc-12*", "libgomp")))
    if not found:
        sys.exit("suite-gomp: no sources in build/suite_gomp (tests/suite_gomp/fetch.sh)")
    return found[-1]


def tests():
    """[(name, path, language)]"""
    found = []
    for suite, (folders, names, language) in SUITES.items():
        for folder in folders:
            top = os.path.join(sources(), "testsuite", folder)
            for at, _, files in os.walk(top):
                for file in files:
                    if re.search(names, file):
                        name = os.path.relpath(os.path.join(at, file), top)
                        if folder == "libgomp.c-c++-common":
                            name = "common/" + name
                        found.append((suite + "/" + name, os.path.join(at, file), language))
    return sorted(found)


def uses_target(path):
    text = open(path, encoding="latin-1").read()
    return re.search(r"omp\s*(begin\s+)?(declare\s+)?target|offload_device", text, re.I)


def execute(command, cwd, log, environment=None, factor=1.0):
    """Returns the exit status; a time-out is 'time'."""
    with open(log, "ab") as out:
        child = subprocess.Popen(command, cwd=cwd, env=environment, stdout=out, stderr=subprocess.STDOUT,
                                 stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            return child.wait(LIMIT * factor)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            return "time"


def compiler_of(path, language):
    if re.search(r"\.[fF](|90|95|03|08)$", path):
        return ["gfortran-12"]
    if language == "c++" or re.search(r"\.(C|cc)$", path):
        return ["g++-12", "-x", "c++"]
    return ["gcc-12"]


def compile_all(test, path, language, place):
    """Returns (the objects, or None after an error; options)."""
    options = test.options if test.options is not None else ["-O2"]
    options = options + test.more_options
    here = os.path.dirname(path)
    include = ["-fopenmp", "-w", "-I" + here, "-I" + WORK + "/config", "-I" + sources(),
               "-I" + os.path.dirname(sources()) + "/include"]
    objects = []
    for number, source in enumerate([os.path.join(here, s) for s in test.sources] + [path]):
        output = f"{place}/{number}.o"
        command = compiler_of(source, language) + include + options + ["-c", source, "-o", output]
        if execute(command, place, place + "/log.compile", factor=3) != 0:
            return None, options
        if "-flto" in options:  # GCC's linker plug-in makes the code
            command = ["gcc-12", "-O2", "-r", "-flinker-output=nolto-rel", output, "-o", output + ".o"]
            if execute(command, place, place + "/log.compile", factor=3) != 0:
                return None, options
            output += ".o"
        objects.append(output)
    return objects, options


def fortran_libraries():
    return [subprocess.run(["gfortran-12", "-print-file-name=" + name], capture_output=True, text=True,
                           check=True).stdout.strip() for name in ("libgfortran.a", "libquadmath.a")]


def link_command(form, language, objects, options, output):
    libraries = [o for o in options if o.startswith("-l") and o != "-lgomp"]
    if form == "libgomp":
        tool = {"c": "gcc-12", "c++": "g++-12", "fortran": "gfortran-12"}[language]
        return [tool, "-fopenmp"] + objects + libraries + ["-o", output]
    if form == "libomp":
        tool = {"c": "gcc-12", "c++": "g++-12", "fortran": "gfortran-12"}[language]
        return [tool] + objects + libraries + ["-L" + STOCK, "-Wl,-rpath," + STOCK, "-lomp", "-lm", "-pthread", "-o", output]
    tool = BIN + ("/solo-c++" if language == "c++" else "/solo-cc")
    more = fortran_libraries() if language == "fortran" else []
    return [tool, "--static", "--glibc"] + objects + more + libraries + ["-lm", "-o", output]


def run_form(test, form, language, objects, options, place, threads):
    """Returns pass, link (no program), fail or time."""
    program, log = f"{place}/{form}", f"{place}/log.{form}"
    if execute(link_command(form, language, objects, options, program), place, log) != 0:
        return "link"
    if test.action == "link":
        return "pass"
    environment = {"PATH": os.environ["PATH"], "HOME": WORK, "LANG": "C", "LC_ALL": "C"}
    if threads:
        environment["OMP_NUM_THREADS"] = str(threads)
    if form == "device":
        environment["SOLO_GOMP_DEVICE"] = "1"
    environment.update(test.environment)
    size = os.path.getsize(log)
    status = execute([program], place, log, environment, test.factor)
    if status == "time":
        return "time"
    if (status != 0) != test.fails:
        return "fail"
    if test.output:
        output = open(log, encoding="latin-1").read()[size:]
        if not re.search("".join(test.output), output):
            return "fail"
    return "pass"


def run_test(name, path, language, forms, threads, keep):
    """Returns {form: result}; '-': not for this form."""
    place = os.path.join(WORK, "run", name)
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(place)
    results = dict.fromkeys(forms, "-")
    if not uses_target(path):
        forms = [form for form in forms if form != "device"]
    plain = dejagnu.read(path, language, set())
    with_device = dejagnu.read(path, language, DEVICE) if "device" in forms else plain
    if plain.reason and with_device.reason:
        return results
    model = plain if not plain.reason else with_device
    objects, options = compile_all(model, path, language, place)
    for form in forms:
        test = with_device if form == "device" else plain
        if test.reason:
            continue
        if test.action in ("compile", "assemble", "preprocess"):
            results[form] = "pass" if (objects is None) == test.errors else "fail"
        elif objects is None:
            results[form] = "compile"
        else:
            results[form] = run_form(test, form, language, objects, options, place, threads)
    if not keep:
        for file in os.listdir(place):
            if not file.startswith("log"):
                path = os.path.join(place, file)
                shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
    return results


def expected():
    """Returns {test or device:test: reason}: tests that libgomp passes and solo does not."""
    listed = {}
    path = os.path.join(ROOT, "tests/suite_gomp/expected.list")
    for line in open(path):
        if not line.startswith("#") and line.strip():
            test, reason = line.split(None, 1)
            listed[test] = reason.strip()
    return listed


def report(results, forms, partial):
    wide = max([len(test) for test in results] + [4])
    lines = [" ".join(["test".ljust(wide)] + [form.ljust(8) for form in forms]).rstrip()]
    for test, row in sorted(results.items()):
        if any(value != "-" for value in row.values()):
            lines.append(" ".join([test.ljust(wide)] + [row[form].ljust(8) for form in forms]).rstrip())
    for form in forms:
        mine = [row[form] for row in results.values() if row[form] != "-"]
        lines.append(f"{form}: {mine.count('pass')} of {len(mine)} pass")
    open(os.path.join(WORK, "table.txt"), "w").write("\n".join(lines) + "\n")
    print("\n".join(lines if partial else lines[-len(forms):]))
    if "libgomp" not in forms:
        return 0
    wrong, listed = [], expected()
    for form, prefix in (("solo", ""), ("device", "device:")):
        for test, row in sorted(results.items()) if form in forms else ():
            known, name = row["libgomp"] in PASSES[form], prefix + test
            lost = known and row[form] not in ("pass", "compile", "-")
            if lost and name not in listed:
                wrong.append(f"{name}: {row[form]}; libgomp: {row['libgomp']}")
            elif known and row[form] == "pass" and name in listed:
                wrong.append(f"{name}: listed as an exception, but passes")
    wrong += [f"{name}: listed, but the test does not exist" for name in listed
              if not partial and name.removeprefix("device:") not in results]
    for line in wrong:
        print("UNEXPECTED", line)
    print(f"{len(wrong)} unexpected results; {len(listed)} exceptions (tests/suite_gomp/expected.list)")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("--form", action="append", choices=FORMS)
    parser.add_argument("--threads", type=int, help="OMP_NUM_THREADS")
    parser.add_argument("--keep", action="store_true", help="keep the programs that were built")
    parser.add_argument("patterns", nargs="*")
    arguments = parser.parse_args()
    forms = arguments.form or FORMS
    os.makedirs(WORK + "/config", exist_ok=True)
    open(WORK + "/config/config.h", "w").write("#define HAVE_PTHREAD_AFFINITY_NP 1\n#define HAVE_TLS 1\n")
    jobs = [job for job in tests()
            if not arguments.patterns or any(fnmatch.fnmatch(job[0], p) for p in arguments.patterns)]
    results = {}
    with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        futures = {pool.submit(run_test, *job, forms, arguments.threads, arguments.keep): job[0] for job in jobs}
        for future in concurrent.futures.as_completed(futures):
            results[futures[future]] = future.result()
    return report(results, forms, bool(arguments.patterns))


if __name__ == "__main__":
    sys.exit(main())
