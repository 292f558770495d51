#!/usr/bin/env python3
"""Runs LLVM's tests of offloading and host threads with stock and with solo, and compares the results (README.md).

Usage: tests/suite_llvm/run.py [-j N] [--form FORM]... [--keep] [PATTERN...]

PATTERN: shell patterns for test names, such as 'mapping/*' or 'runtime/tasking/*'. Forms: stock, dropin, unrelinked,
static. Executes the suite's lit.cfg for features and substitutions. The differences from stock must be exactly those of
expected.list. Writes build/suite_llvm/table.txt.
"""
import argparse
import concurrent.futures
import fnmatch
import os
import re
import shutil
import signal
import subprocess
import sys
import types

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WORK = os.path.join(ROOT, "build", "suite_llvm")
STOCK = "/usr/lib/llvm-19/lib"
TARGET = "x86_64-pc-linux-gnu"
OTHER_TARGETS = ["nvptx64-nvidia-cuda", "amdgcn-amd-amdhsa", "aarch64-unknown-linux-gnu",
                 "powerpc64-ibm-linux-gnu", "powerpc64le-ibm-linux-gnu", "s390x-ibm-linux-gnu"]
FORMS = ("stock", "dropin", "unrelinked", "static")
RUNTIME = "openmp/runtime/test"
LIMIT = 60  # seconds for all RUN lines of a test
TRIES = 3  # hidden helper threads of libomp 19 sometimes assert


def suites():
    """The test folders of the source package."""
    found = []
    for top in sorted(os.listdir(WORK)):
        for below in ("offload/test", "openmp/libomptarget/test", RUNTIME):
            folder = os.path.join(WORK, top, below)
            if top.startswith("llvm-toolchain") and os.path.isfile(folder + "/lit.cfg"):
                found.append(folder)
    return found


def prefix(folder):
    """The prefix of the folder's test names."""
    return "runtime/" if folder.endswith(RUNTIME) else ""


def forms_of(folder, forms):
    return [form for form in forms if form in ("stock", "static") or not prefix(folder)]


def compilers(form):
    if form == "static":
        tools = os.path.join(ROOT, "build", "bin")
        # glibc, because the suite uses the target x86_64-pc-linux-gnu
        return tools + "/solo-cc --static --glibc", tools + "/solo-c++ --static --glibc"
    return "clang-19", "clang++-19"


def configure(folder, form):
    """Executes the suite's lit.cfg with the variables of lit.site.cfg."""
    config = types.SimpleNamespace()
    config.environment = {} if prefix(folder) else {"OMP_TARGET_OFFLOAD": "mandatory"}
    config.available_features = set()
    config.substitutions = []
    config.test_c_compiler, config.test_cxx_compiler = compilers(form)
    config.test_fortran_compiler = ""
    config.test_compiler_features = ["clang", "clang-19", "clang-19.1", "clang-19.1.7"]
    config.test_openmp_flags = "-fopenmp"
    config.test_extra_flags = ""
    config.cuda_path = config.cuda_libdir = config.cuda_test_arch = ""
    config.amdgpu_test_arch = ""
    config.libomptarget_obj_root = config.libomp_obj_root = os.path.join(WORK, "run", form, prefix(folder))
    config.library_dir = os.path.join(ROOT, "build/lib/glibc") if form == "dropin" else STOCK
    config.llvm_library_dir = config.llvm_library_intdir = STOCK
    config.llvm_lib_directory = config.omp_host_rtl_directory = STOCK
    config.omp_header_directory = "."
    config.operating_system = "Linux"
    config.libomptarget_current_target = TARGET
    config.libomptarget_all_targets = [TARGET] + OTHER_TARGETS
    config.libomptarget_filecheck = "FileCheck"
    config.libomptarget_not = "not"
    config.libomptarget_debug = False
    config.has_libomptarget_ompt = True
    config.libomptarget_has_libc = False
    config.target_arch, config.hwloc_library_dir = "x86_64", ""
    config.test_filecheck, config.test_not = "FileCheck", "not"
    config.has_libm = config.has_omit_frame_pointer_flag = config.test_compiler_has_omp_h = True
    # static programs have no OMPT events of the host
    config.has_ompt = config.has_libatomic = config.using_hwloc = config.is_standalone_build = False
    config.has_ompx_taskgraph = False
    lit = types.ModuleType("lit")
    lit.formats = types.ModuleType("lit.formats")
    lit.formats.ShTest = lambda *a, **k: None
    sys.modules["lit"], sys.modules["lit.formats"] = lit, lit.formats
    path = os.path.join(folder, "lit.cfg")
    exec(compile(open(path).read(), path, "exec"),  # pylint: disable=exec-used
         {"config": config, "sys": sys, "lit_config": types.SimpleNamespace(), "__file__": path})
    if form == "static":  # solo-cc links the device runtime
        config.substitutions = [(a, b.replace(" -nogpulib", "") if a == "%flags" else b)
                                for a, b in config.substitutions]
    return config


def keyword(text, name):
    """The values of all 'NAME: a, b' lines of a test; RUN lines are joined at a backslash."""
    found, joined = [], ""
    for line in re.findall(rf"\b{name}:(.*)", text):
        line = line.strip()
        if name != "RUN":
            found += [part.strip() for part in line.split(",") if part.strip()]
        elif line.endswith("\\"):
            joined += line[:-1] + " "
        else:
            found.append(joined + line)
            joined = ""
    return found


def holds(expression, features):
    """Evaluates lit's feature expressions: names, !, &&, ||, parentheses."""
    python = re.sub(r"[A-Za-z0-9_.+-]+", lambda m: str(m.group(0) in features), expression)
    python = python.replace("&&", " and ").replace("||", " or ").replace("!", " not ")
    return eval(python)  # pylint: disable=eval-used


def expand(line, substitutions):
    for name, value in substitutions:
        line = line.replace(name, value)
    return line


def run_once(script, cwd, environment, log):
    with open(log, "wb") as out:
        child = subprocess.Popen(["bash", "-c", script], cwd=cwd, env=environment, stdout=out,
                                 stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            return child.wait(LIMIT) == 0
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            out.write(b"\nsuite_llvm: the test ran too long\n")
            return False


def run_test(folder, name, form, config, keep):
    """Returns 'pass', 'fail' or '-' (not for this machine), and the number of tries."""
    source = os.path.join(folder, name)
    text = open(source, errors="replace").read()
    runs = keyword(text, "RUN")
    features = config.available_features
    if not runs or not all(holds(e, features) for e in keyword(text, "REQUIRES")):
        return "-", 0
    if any(holds(e, features) for e in keyword(text, "UNSUPPORTED")):
        return "-", 0
    lines = [expand(line, config.substitutions) for line in runs]
    lines = [line for line in lines if "ignored-command" not in line]
    if not lines:
        return "-", 0
    place = os.path.join(config.libomptarget_obj_root, name)
    os.makedirs(place, exist_ok=True)
    here = [("%s", source), ("%S", os.path.dirname(source)), ("%t", place + "/t"), ("%T", place)]
    script = "set -o pipefail\n" + " && \\\n".join("{ %s; }" % expand(line, here) for line in lines) + "\n"
    environment = dict(PATH=WORK + "/tools/usr/lib/llvm-19/bin:" + os.environ["PATH"], HOME=WORK,
                       LANG="C", SOLO_CLANG="clang-19", **config.environment)
    if form == "unrelinked":
        environment["LD_LIBRARY_PATH"] = os.path.join(ROOT, "build/lib/glibc/shared-cpu")
    expects_failure = any(holds(e, features) for e in keyword(text, "XFAIL"))
    open(place + "/script", "w").write(script)
    tries = 0
    while tries < TRIES:
        tries += 1
        if run_once(script, place, environment, place + "/log") != expects_failure:
            if not keep:
                for file in os.listdir(place):
                    if file.startswith("log") or file == "script":
                        continue
                    path = os.path.join(place, file)
                    shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
            return "pass", tries
        shutil.copy(place + "/log", place + f"/log.{tries}")
    return "fail", tries


def expected():
    """Returns {(test, form): (result, reason)}."""
    listed = {}
    path = os.path.join(ROOT, "tests/suite_llvm/expected.list")
    for number, line in enumerate(open(path), 1):
        if line.startswith("#") or not line.strip():
            continue
        fields = line.split(None, 3)
        if len(fields) != 4 or fields[2] not in ("pass", "fail"):
            sys.exit(f"{path}:{number}: expected TEST FORM pass|fail REASON")
        for form in fields[1].split(","):
            listed[(fields[0], form)] = (fields[2], fields[3].strip())
    return listed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("--form", action="append", choices=FORMS)
    parser.add_argument("--keep", action="store_true", help="keep the programs that were built")
    parser.add_argument("patterns", nargs="*")
    arguments = parser.parse_args()
    forms = arguments.form or FORMS
    jobs = []
    for form in forms:
        shutil.rmtree(os.path.join(WORK, "run", form), ignore_errors=True)
    for folder in suites():
        configs = {form: configure(folder, form) for form in forms_of(folder, forms)}
        names = sorted(os.path.relpath(os.path.join(at, f), folder) for at, _, files in os.walk(folder)
                       for f in files if f.endswith((".c", ".cpp", ".cc")) and "Inputs" not in at)
        for name in names:
            called = prefix(folder) + name
            if not arguments.patterns or any(fnmatch.fnmatch(called, p) for p in arguments.patterns):
                jobs += [(folder, name, form, config, arguments.keep) for form, config in configs.items()]
    results, again = {}, []
    with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        for job, (result, tries) in zip(jobs, pool.map(lambda job: run_test(*job), jobs)):
            if result != "-":
                results[(prefix(job[0]) + job[1], job[2])] = result
            if result == "pass" and tries > 1:
                again.append(f"{prefix(job[0])}{job[1]} {job[2]} passed at try {tries}")
    return report(results, again, forms, bool(arguments.patterns))


def report(results, again, forms, partial):
    tests = sorted({test for test, _ in results})
    wide = max([len(test) for test in tests] + [4])
    lines = [" ".join(["test".ljust(wide)] + [form.ljust(10) for form in forms]).rstrip()]
    for test in tests:
        row = [results.get((test, form), "-").ljust(10) for form in forms]
        lines.append(" ".join([test.ljust(wide)] + row).rstrip())
    for form in forms:
        mine = [r for (_, f), r in results.items() if f == form]
        lines.append(f"{form}: {mine.count('pass')} of {len(mine)} pass")
    lines += again
    open(os.path.join(WORK, "table.txt"), "w").write("\n".join(lines) + "\n")
    print("\n".join(lines))
    if "stock" not in forms:
        return 0
    wrong, listed = [], expected()
    for (test, form), result in sorted(results.items()):
        wanted = listed[(test, form)][0] if (test, form) in listed else results.get((test, "stock"))
        if result != wanted:
            wrong.append(f"{test}: {form}: {result}, expected {wanted}")
        elif (test, form) in listed and result == results.get((test, "stock")):
            wrong.append(f"{test}: {form}: {result} with stock, too, but listed as a difference")
    for test, form in sorted(listed):
        if not partial and form in forms and (test, form) not in results:
            wrong.append(f"{test}: {form}: listed, but the test does not exist")
    for line in wrong:
        print("UNEXPECTED", line)
    print(f"{len(wrong)} unexpected results")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
