#!/usr/bin/env python3
"""Builds public libraries, links their test programs with stock and with solo, and compares answers and times.

Usage: tests/suite_apps/run.py [--rounds N] [APP...]      apps: kokkos, hypre, sundials; default: all

Forms: see README.md. The answer of a program is the match of its regular expression; it must be that of stock. A program
of the form simt must exit with 0. Writes build/suite_apps/table.txt. Exit status 0: all answers are correct.
"""
import argparse
import glob
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WORK = os.path.join(ROOT, "build", "suite_apps")
TOOLS = os.path.join(ROOT, "build", "bin")
STOCK = "/usr/lib/llvm-19/lib"
OFFLOAD = ["-fopenmp", "-fopenmp-targets=x86_64-pc-linux-gnu"]
FORMS = ("stock", "dropin", "dynamic", "static")
LIMIT = 900  # seconds for a run
GTEST = r"^\[ +(?:OK|FAILED|PASSED) +\] [\w./]+"


class Program:
    def __init__(self, name, files, arguments=(), answer="", rounds=None):
        self.name, self.files, self.arguments = name, files, list(arguments)
        self.answer, self.rounds = answer, rounds


def environment():
    """The caller's environment without OpenMP settings, with the path of stock's libraries."""
    kept = {k: v for k, v in os.environ.items()
            if not k.startswith(("OMP_", "KMP_", "LIBOMPTARGET_", "SOLO_"))}
    return dict(kept, LD_LIBRARY_PATH=STOCK)


def call(command, folder, log):
    """Runs a build step with its output in a file."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, log), "a", encoding="utf-8") as out:
        out.write("$ " + " ".join(command) + "\n")
        out.flush()
        code = subprocess.run(command, cwd=folder, env=environment(), stdout=out,
                              stderr=subprocess.STDOUT, check=False).returncode
    if code:
        sys.exit(f"suite-apps: {command[0]} failed in {folder}: see {log} there")


def link(folder, name, inputs, cxx):
    """Links the same inputs in each form."""
    clang, solo = ("clang++-19", "solo-c++") if cxx else ("clang-19", "solo-cc")
    plain = [clang, *OFFLOAD]
    how = {"stock": plain, "dropin": plain, "dynamic": [os.path.join(TOOLS, solo)],
           "static": [os.path.join(TOOLS, solo), "--static", "--glibc"]}
    files = {}
    for form in FORMS:
        files[form] = os.path.join(folder, f"{name}.{form}")
        added = ["-L" + os.path.join(ROOT, "build/lib/glibc")] if form == "dropin" else []
        call([*how[form], *inputs, *added, "-o", files[form]], folder, "link.log")
    return files



def kokkos():
    """Kokkos with the backend OpenMPTarget."""
    source = os.path.join(WORK, "trilinos", "packages", "kokkos")
    build = os.path.join(WORK, "kokkos")
    targets = {"incremental": "KokkosCore_IncrementalTest_OPENMPTARGET",
               "unit": "KokkosCore_UnitTest_OpenMPTarget"}
    if not os.path.exists(os.path.join(build, "build.ninja")):
        call(["cmake", "-G", "Ninja", source, "-DCMAKE_CXX_COMPILER=clang++-19", "-DCMAKE_CXX_STANDARD=17",
              "-DCMAKE_CXX_FLAGS=-O1 -w " + " ".join(OFFLOAD), "-DCMAKE_BUILD_TYPE=None",
              "-DKokkos_ENABLE_OPENMPTARGET=ON", "-DKokkos_ENABLE_SERIAL=ON",
              "-DKokkos_ENABLE_TESTS=ON"], build, "build.log")
    call(["ninja", *targets.values()], build, "build.log")
    archives = [os.path.join(build, path) for path in (
        "core/unit_test/libkokkos_gtest.a", "containers/src/libkokkoscontainers.a",
        "core/src/libkokkoscore.a")] + ["-ldl"]
    programs = []
    for name, target in targets.items():
        below = os.path.join(build, "core/unit_test/CMakeFiles", target + ".dir")
        objects = sorted(glob.glob(below + "/**/*.o", recursive=True))
        files = link(build, name, objects + archives, cxx=True)
        if name == "incremental":
            files["simt"] = kokkos_for_simt(build, target)
        programs.append(Program("kokkos " + name, files, answer=GTEST,
                                rounds=1 if name == "unit" else None))
    return programs


def kokkos_for_simt(build, target):
    """Compiles the incremental tests for the virtual GPU with the commands of the CPU build."""
    folder = os.path.join(build, "simt")
    os.makedirs(folder, exist_ok=True)
    commands = subprocess.run(["ninja", "-t", "commands", "core/unit_test/" + target], cwd=build,
                              capture_output=True, text=True, check=True).stdout.splitlines()
    solo = [os.path.join(TOOLS, "solo-c++"), "--targets=simt-sm_90"]
    objects, todo = [], []
    for command in commands:
        words = command.split()
        if "-c" not in words or "clang++" not in words[0]:
            continue
        source = words[words.index("-c") + 1]
        objects.append(os.path.join(folder, os.path.basename(source) + ".o"))
        flags = [w for w in words[1:] if w.startswith(("-I", "-D", "-O", "-w", "-std"))]
        if not os.path.exists(objects[-1]):
            todo.append(" ".join([*solo, *flags, "-c", source, "-o", objects[-1]]))
    with open(os.path.join(folder, "commands"), "w", encoding="utf-8") as out:
        out.write("".join(line + "\n" for line in todo))
    call(["xargs", "-a", "commands", "-d", "\\n", "-r", "-P", str(os.cpu_count()), "-I{}", "sh", "-c",
          "{} || exit 255"], folder, "build.log")
    call([*solo, *objects, "-ldl", "-o", "incremental.simt"], folder, "build.log")
    return os.path.join(folder, "incremental.simt")


def hypre():
    """hypre's solvers on structured grids and AMG."""
    build = os.path.join(WORK, "hypre", "src")
    library = os.path.join(build, "hypre/lib/libHYPRE.a")
    flags = "-O2 -w " + " ".join(OFFLOAD)
    if not os.path.exists(library):
        call(["./configure", "--without-MPI", "--with-device-openmp", "--disable-fortran", "CC=clang-19",
              "CXX=clang++-19", "CFLAGS=" + flags, "CXXFLAGS=" + flags,
              "LDFLAGS=" + " ".join(OFFLOAD)], build, "build.log")
        call(["make", "-j", str(os.cpu_count())], build, "build.log")
    include = ["-I.."] + ["-I../" + os.path.basename(os.path.dirname(d))
                          for d in sorted(glob.glob(build + "/*/")) if glob.glob(d + "*.h")]
    files = {}
    for name in ("struct", "ij"):
        test = os.path.join(build, "test")
        call(["clang-19", *flags.split(), "-DHAVE_CONFIG_H", *include, "-c", name + ".c"], test, "build.log")
        files[name] = link(test, name, [name + ".o", library, "-lm", "-lstdc++"], cxx=False)
    answer = r"^(?:Iterations|Final Relative Residual Norm).*"
    size = ["-n", "24", "24", "24", "-solver"]
    programs = [Program("hypre struct " + words, files["struct"], [*size, number], answer)
                for number, words in (("0", "SMG"), ("1", "PFMG"), ("3", "SparseMSG"), ("10", "CG, SMG"),
                                      ("11", "CG, PFMG"), ("17", "CG, Jacobi"), ("30", "GMRES, SMG"))]
    for number, words in (("1", "CG, AMG"), ("2", "CG, scaled")):
        programs.append(Program("hypre ij " + words, files["ij"], [*size, number], answer))
    return programs


# Corrections of sources that do not compile since vectors have a context.
SUNDIALS_MENDS = (
    ("src/nvector/openmpdev/nvector_openmpdev.c",
     (("N_VNew_OpenMPDEV(sunindextype length)", "N_VNew_OpenMPDEV(sunindextype length, SUNContext sunctx)"),
      ("realtype *d_vdata)", "realtype *d_vdata, SUNContext sunctx)"),
      ("v = N_VNewEmpty_OpenMPDEV(length);", "v = N_VNewEmpty_OpenMPDEV(length, sunctx);"),
      ("= N_VDotProdMultiLocal_OpenMPDEV", "= N_VDotProdMulti_OpenMPDEV"))),
    ("examples/nvector/openmpdev/test_nvector_openmpdev.c",
     (("N_VMake_OpenMPDEV(length, NULL, NULL)", "N_VMake_OpenMPDEV(length, NULL, NULL, sunctx)"),
      ("N_VMake_OpenMPDEV(length, h_data, d_data)", "N_VMake_OpenMPDEV(length, h_data, d_data, sunctx)"))),
)


def sundials():
    """The vector test of SUNDIALS and the two integrators without data races."""
    source, build = os.path.join(WORK, "sundials"), os.path.join(WORK, "sundials-build")
    for path, mends in SUNDIALS_MENDS:
        with open(os.path.join(source, path), encoding="utf-8") as file:
            text = mended = file.read()
        for old, new in mends:
            mended = mended.replace(old, new)
        if mended != text:
            with open(os.path.join(source, path), "w", encoding="utf-8") as file:
                file.write(mended)
    examples = {"vectors": "nvector/openmpdev/test_nvector_openmpdev",
                "analytic": "arkode/C_openmpdev/ark_analytic_nonlin_ompdev",
                "heat": "arkode/C_openmpdev/ark_heat1D_ompdev"}
    if not os.path.exists(os.path.join(build, "build.ninja")):
        call(["cmake", "-G", "Ninja", source, "-DCMAKE_C_COMPILER=clang-19", "-DCMAKE_BUILD_TYPE=Release",
              "-DCMAKE_C_FLAGS=-w " + " ".join(OFFLOAD), "-DBUILD_SHARED_LIBS=OFF",
              "-DENABLE_OPENMP=ON", "-DENABLE_OPENMP_DEVICE=ON", "-DOPENMP_DEVICE_WORKS=ON",
              "-DEXAMPLES_ENABLE_CXX=OFF"], build, "build.log")
    call(["ninja", *("examples/" + e for e in examples.values())], build, "build.log")
    programs = []
    for name, path in examples.items():
        command = subprocess.run(["ninja", "-t", "commands", "examples/" + path], cwd=build,
                                 capture_output=True, text=True, check=True).stdout.splitlines()[-1]
        inputs = [os.path.join(build, word) for word in command.split()
                  if word.endswith((".o", ".a")) and not os.path.isabs(word)]
        files = link(build, name, [*inputs, "-lm"], cxx=False)
        arguments, answer = (["5000", "0"], r"^ *(?:PASSED|SUCCESS|>>> FAILED).*") if name == "vectors" \
            else ([], r"^.*\S.*")
        programs.append(Program("sundials " + name, files, arguments, answer))
    return programs


APPS = {"kokkos": kokkos, "hypre": hypre, "sundials": sundials}



def run(program, form):
    """Returns (answer, seconds, failure)."""
    start = time.monotonic()
    try:
        done = subprocess.run([program.files[form], *program.arguments], env=environment(),
                              cwd=os.path.dirname(program.files[form]), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace", timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return None, LIMIT, f"more than {LIMIT} s"
    seconds = time.monotonic() - start
    answer = sorted(re.findall(program.answer, done.stdout, re.MULTILINE))
    if done.returncode < 0:
        return None, seconds, f"signal {-done.returncode}: {done.stderr[-300:]}"
    if form == "simt" and done.returncode:
        return None, seconds, f"exit status {done.returncode}: {done.stderr[-300:]}"
    return (done.returncode, answer), seconds, "" if answer else "no answer in the output"


def compare(program, rounds):
    """Returns a row of the table and the number of failures."""
    times, answers, wrong = {}, {}, []
    for _ in range(program.rounds or rounds):
        for form in program.files:
            answer, seconds, words = run(program, form)
            times.setdefault(form, []).append(seconds)
            if words:
                wrong.append(f"{form}: {words}")
            answers.setdefault(form, answer)
            if form != "simt" and answer != answers["stock"]:
                wrong.append(f"{form}: answer differs from stock")
    stock = statistics.median(times["stock"])
    cells = [f"{program.name:26}{stock:9.3f} s"]
    for form in (*FORMS[1:], "simt"):
        cells.append(f"{stock / statistics.median(times[form]):8.2f}" if form in times else f"{'-':>8}")
    lines = [" ".join(cells) + ("" if wrong else "   right")]
    return lines + ["    " + text for text in dict.fromkeys(wrong)], len(wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("apps", nargs="*", metavar="APP", help=", ".join(APPS))
    options = parser.parse_args()
    for app in options.apps:
        if app not in APPS:
            parser.error(f"no app {app}: {', '.join(APPS)}")
    if not shutil.which("cmake"):
        sys.exit("suite-apps: no cmake")
    table = [f"{'':26}{'stock':>11} {'dropin':>8} {'dynamic':>8} {'static':>8} {'simt':>8}   (x: stock's time over it)"]
    print(table[0], flush=True)
    failed = 0
    for name in options.apps or APPS:
        for program in APPS[name]():
            lines, wrong = compare(program, options.rounds)
            failed += wrong > 0
            table += lines
            print("\n".join(lines), flush=True)
    with open(os.path.join(WORK, "table.txt"), "w", encoding="utf-8") as out:
        out.write("\n".join(table) + "\n")
    print(f"{failed} programs with wrong answers")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
