"""Checks commands that guide.py does not run: guide_other.py PAGE...   Each is listed below with its test."""
import pathlib
import re
import sys

# test, or "-" and the reason
OTHER = {
    "cd solo": "packages/reproducible",
    "./configure.sh --bootstrap && ninja": "packages/reproducible",
    "ninja install": "tools/install",
    "apt install ./libsolo1_": "packages/debian",
    "podman import": "- the tests have no container engine, as the page states",
    "ninja bench": "- a measurement of minutes; bench/count runs solo-bench",
    "build/bench/solo-bench --plot": "- a measurement of 25 minutes",
    "solo-info  ": "tools/info",
    "solo-info PROGRAM": "tools/info",
    "OMP_TARGET_OFFLOAD=mandatory ./PROGRAM": "tools/first_hour",
    "SOLO_DEBUG=1 ./PROGRAM": "tools/common_mistakes",
    "mpicc.openmpi ... -Llib/openmpi": "remote/mpi-programs-openmpi",
    "clang-19 --offload-link prog.o -Llib/openmpi": "remote/mpi-programs-openmpi",
    "mpirun --bind-to none -n 1 ./prog": "remote/mpi-programs-openmpi",
    "mpirun --bind-to none -n 5 ./prog": "remote/mpi-programs-openmpi",
    "mpirun --bind-to none -n 1 solo-info-openmpi": "remote/info-openmpi",
    "mpirun --enable-recovery --mca pml ucx": "remote/mpi-lost-openmpi",
    "mpirun -disable-auto-cleanup": "remote/mpi-lost-mpich",
}
COMMAND = re.compile(r"    (?=(?:\w+=\S+ )*(?:\S*/)?(?:solo-\S+|clang\S*|gcc|sh|cd|ninja|apt|make|mpi(?:run|cc)\S*|podman|docker|python3|"
                     r"configure\.sh|\./\S+|[A-Z]+ )\b)(.*)")

tests = {line.split()[0].rstrip("!") for path in [*pathlib.Path().glob("tests/*/*.list"), *pathlib.Path().glob("ports/*.list")]
         for line in path.read_text().splitlines() if re.match(r"[a-z]+/\S+ ", line)}
bad, used = 0, set()
for page in sys.argv[1:]:
    fence = False
    for line in open(page):
        fence ^= line.startswith("```")
        match = None if fence else COMMAND.match(line)
        if not match:
            continue
        entry = [e for e in OTHER if match.group(1).startswith(e)]
        used.update(entry)
        if not entry:
            bad += 1
            print("failed: %s: no test runs: %s" % (page, match.group(1)))
    for block in re.findall(r"^```(?:text|sh|bash|shell)\n", open(page).read(), re.M):
        bad += 1
        print("failed: %s: a block of commands is not a console block" % page)
for entry, test in OTHER.items():
    if entry not in used or (test[0] != "-" and test not in tests):
        bad += 1
        print("failed: guide_other.py: '%s' or its test %s does not exist" % (entry, test))
sys.exit(bad != 0)
