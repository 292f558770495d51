#!/usr/bin/env python3
"""Runs random cases until a time limit.

Usage: tests/soak/day.py [--hours H] [--only KIND[,KIND]] [--case KIND:SEED] [--first SEED]

Kinds:
  host      random host constructs, compared with libomp
  mapping   random mapping constructs, compared with a model and stock
  fork      forks during OpenMP use
  dlopen    plug-ins with device code
  limits    limits of memory, threads, files or stack: no signal
  seccomp   rejection of an inessential system call
  hostile   tests/hostile/programs with random settings

Files in build/soak: done (passed cases, which do not run again), failed, told (a line for each run). See tests/soak.md.
"""
import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WORK = os.path.join(ROOT, "build", "soak")
SOLO = os.path.join(ROOT, "build", "bin", "solo-cc")
STOCK = "/usr/lib/llvm-19/lib"
LIMIT = 600  # seconds of a run


class Failed(Exception):
    pass


def run(command, cwd, **more):
    """Raises Failed for a signal or a timeout."""
    environment = dict(os.environ, SOLO_CLANG="clang-19", **more)
    with subprocess.Popen(command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, start_new_session=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace") as child:
        try:
            done = subprocess.CompletedProcess(command, 0, *child.communicate(timeout=LIMIT))
        except subprocess.TimeoutExpired as e:
            os.killpg(child.pid, signal.SIGKILL)
            raise Failed(f"{command[0]}: longer than {LIMIT} s") from e
        done.returncode = child.returncode
    if done.returncode < 0:
        name = signal.Signals(-done.returncode).name
        raise Failed(f"{command[0]}: {name}\n{done.stderr[-2000:]}")
    return done


def right(command, cwd, **more):
    done = run(command, cwd, **more)
    if done.returncode:
        raise Failed(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout[-500:]}{done.stderr[-2000:]}")
    return done.stdout


def build(folder, text, form):
    with open(os.path.join(folder, "case.c"), "w") as out:
        out.write(text)
    if form == "static":
        right([SOLO, "--static", "-O1", "-w", "case.c", "-o", "static"], folder)
    else:
        right(["clang-19", "-fopenmp", "-fopenmp-targets=x86_64-pc-linux-gnu", "-O1", "-w", "case.c", "-o", "stock",
               "-Wl,-rpath," + STOCK], folder)


def same(what, wanted, got):
    if wanted != got:
        pairs = zip(wanted.splitlines() + ["(end)"], got.splitlines() + ["(end)"])
        first = next(((a, b) for a, b in pairs if a != b), ("", "(more lines)"))
        raise Failed(f"{what}: '{first[1]}', expected '{first[0]}'")




def host_body(r, depth):
    """Returns statements with a result that does not depend on schedules."""
    kinds = ["for", "sum", "sections", "single", "task", "taskloop", "critical", "ordered", "depend"]
    if depth < 2:
        kinds += ["parallel"] * 2
    kind = r.choice(kinds)
    n, a = r.randint(1, 200), r.randint(1, 9)
    schedule = r.choice(["static", f"static, {a}", "dynamic", f"dynamic, {a}", "guided", f"guided, {a}", "auto",
                         "runtime", f"nonmonotonic: dynamic, {a}", f"monotonic: dynamic, {a}"])
    if kind == "parallel":
        inner = "".join(host_body(r, depth + 1) for _ in range(r.randint(1, 3)))
        return f"k++;\n#pragma omp parallel num_threads({r.randint(1, 5)}) if({r.randint(0, 3)})\n{{\n" \
               f"#pragma omp single\n{{\n{inner}}}\n}}\n"
    loop = f"for (int i = 0; i < {n}; i++)"
    return {
        "for": f"#pragma omp parallel for schedule({schedule}) lastprivate(last)\n{loop} {{ v[i] += {a} * i; last = i; }}\n"
               f"wrong += last != {n - 1};\n",
        "sum": f"#pragma omp parallel for schedule({schedule}) reduction(+ : x) collapse({r.randint(1, 2)})\n"
               f"{loop} for (int j = 0; j < {a}; j++) x += v[i] % 7 + j;\n",
        "sections": "#pragma omp parallel sections reduction(+ : x)\n{\n"
                    + "".join(f"#pragma omp section\nx += {r.randint(1, 99)};\n" for _ in range(r.randint(1, 5))) + "}\n",
        "single": f"#pragma omp parallel num_threads({r.randint(1, 4)})\n{{\n#pragma omp single\nx += {a};\n"
                  f"#pragma omp masked\nk += {a};\n}}\n",
        "task": f"#pragma omp parallel num_threads({r.randint(1, 4)})\n#pragma omp single\n"
                f"{loop} {{\n#pragma omp task firstprivate(i) {r.choice(['', 'untied', 'if(i % 2)', 'final(i > 9)'])}\n"
                f"{{\n#pragma omp atomic\nv[i] += {a};\n}}\n}}\n",
        "taskloop": f"#pragma omp parallel num_threads({r.randint(1, 4)})\n#pragma omp single\n"
                    f"#pragma omp taskloop {r.choice(['', f'grainsize({a})', f'num_tasks({a})'])} reduction(+ : x)\n"
                    f"{loop} x += v[i] % {a + 1};\n",
        "critical": f"#pragma omp parallel for schedule({schedule})\n{loop} {{\n#pragma omp critical\nx += i % {a};\n}}\n",
        "ordered": f"#pragma omp parallel for ordered schedule({schedule.replace('nonmonotonic: ', '')})\n{loop} {{\n"
                   f"#pragma omp ordered\nx = x * 31 % 1000003 + i;\n}}\n",
        "depend": f"#pragma omp parallel num_threads({r.randint(1, 4)})\n#pragma omp single\n{loop} {{\n"
                  f"#pragma omp task depend(inout : v[i % {a}]) firstprivate(i)\nv[i % {a}] = v[i % {a}] * 3 % 1009 + i;\n}}\n",
    }[kind]


def host(seed, folder):
    r = random.Random(seed)
    steps = "".join(host_body(r, 0) + "tell();\n" for _ in range(r.randint(2, 8)))
    text = ("#include <stdio.h>\nstatic long v[200], x, k;\nstatic int last, wrong; /* lastprivate; libomp 19 is wrong with dynamic */\n"
            "static void tell(void) { long s = 0; for (int i = 0; i < 200; i++) s = s * 33 % 1000003 + v[i];\n"
            "  printf(\"%ld %ld %ld\\n\", s, x, k); }\n"
            f"int main(void) {{\n{steps}return wrong;\n}}\n")
    build(folder, text, "stock")
    build(folder, text, "static")
    settings = {"OMP_NUM_THREADS": str(r.choice([1, 2, 3, 4, 7])), "OMP_MAX_ACTIVE_LEVELS": str(r.randint(1, 3)),
                "OMP_SCHEDULE": r.choice(["static,3", "dynamic", "guided,2", "auto"]),
                "OMP_WAIT_POLICY": r.choice(["active", "passive"])}
    wanted = run(["./stock"], folder, **settings).stdout
    for _ in range(3):
        same("static", wanted, right(["./static"], folder, **settings))




class Model:
    """Reference counts and device copies of whole arrays."""

    def __init__(self, arrays, cells):
        self.host = [[a * 100 + i for i in range(cells)] for a in range(arrays)]
        self.device, self.count = [None] * arrays, [0] * arrays

    def enter(self, a, to, always=False):
        if not self.count[a]:
            self.device[a] = list(self.host[a]) if to else None
            self.known = to
        elif to and always:
            self.device[a] = list(self.host[a])
        self.count[a] += 1

    def leave(self, a, back, always=False, delete=False):
        if not self.count[a]:
            return
        self.count[a] = 0 if delete else self.count[a] - 1
        if back and (always or not self.count[a]):
            self.host[a] = list(self.device[a])


def mapping(seed, folder):
    r = random.Random(seed)
    arrays, cells = r.randint(1, 4), r.randint(1, 40)
    m, lines, wanted = Model(arrays, cells), [], []
    for _ in range(r.randint(5, 40)):
        a, k = r.randrange(arrays), r.randint(1, 9)
        always = r.choice(["", "", "always, "])
        kind = r.choice(["enter", "exit", "delete", "to", "from", "region", "region", "host", "data"])
        section = f"a{a}[0:{cells}]"
        if kind == "enter":
            lines.append(f"#pragma omp target enter data map({always}to : {section})")
            m.enter(a, True, bool(always))
        elif kind in ("exit", "delete"):
            back = kind == "exit" and r.choice([0, 1])
            how = f"{always}from" if back else "release" if kind == "exit" else "delete"
            lines.append(f"#pragma omp target exit data map({how} : {section})")
            m.leave(a, back, bool(always) and bool(back), kind == "delete")
        elif kind == "to" and m.count[a]:
            lines.append(f"#pragma omp target update to({section})")
            m.device[a] = list(m.host[a])
        elif kind == "from" and m.count[a]:
            lines.append(f"#pragma omp target update from({section})")
            m.host[a] = list(m.device[a])
        elif kind == "region":
            how = r.choice(["tofrom", "to", "always, tofrom"])
            lines.append(f"#pragma omp target map({how} : {section})\nfor (int i = 0; i < {cells}; i++) "
                         f"a{a}[i] = a{a}[i] * 3 % 1009 + {k};")
            m.enter(a, True, "always" in how)
            m.device[a] = [x * 3 % 1009 + k for x in m.device[a]]
            m.leave(a, "from" in how, "always" in how)
        elif kind == "data":
            lines.append(f"#pragma omp target data map(tofrom : {section})\n{{\na{a}[0] = {k};\n"
                         f"#pragma omp target map(to : {section})\na{a}[0] += 7;\n}}")
            m.enter(a, True)
            m.host[a][0] = k
            m.device[a][0] += 7
            m.leave(a, True)
        elif kind == "host":
            lines.append(f"for (int i = 0; i < {cells}; i++) a{a}[i] += {k};")
            m.host[a] = [x + k for x in m.host[a]]
        lines.append(f"tell({a}, a{a});")
        wanted.append(" ".join([str(a)] + [str(x) for x in m.host[a]]))
    text = "#include <stdio.h>\n"
    text += "".join(f"static int a{a}[{cells}];\n" for a in range(arrays))
    text += f"static void tell(int a, int *v) {{ printf(\"%d\", a); for (int i = 0; i < {cells}; i++) " \
            "printf(\" %d\", v[i]); puts(\"\"); }\nint main(void) {\n"
    text += "".join(f"for (int i = 0; i < {cells}; i++) a{a}[i] = {a * 100} + i;\n" for a in range(arrays))
    text += "\n".join(lines) + "\nreturn 0;\n}\n"
    model = "".join(line + "\n" for line in wanted)
    build(folder, text, "static")
    same("static", model, right(["./static"], folder, OMP_TARGET_OFFLOAD="mandatory"))
    build(folder, text, "stock")
    same("stock", model, right(["./stock"], folder, LD_LIBRARY_PATH=STOCK, OMP_TARGET_OFFLOAD="mandatory"))
    shared = os.path.join(ROOT, "build/lib/glibc/shared-cpu") + ":" + STOCK
    same("unrelinked", model, right(["./stock"], folder, LD_LIBRARY_PATH=shared, OMP_TARGET_OFFLOAD="mandatory"))




def fork(seed, folder):
    r = random.Random(seed)
    mode = r.choice(["second", "host", "device", "critical"])
    form = r.choice(["static", "glibc"])
    del folder
    right(["sh", "tests/programs/fork_hostile.sh", form, "1", mode], ROOT)


def dlopen(seed, folder):
    r = random.Random(seed)
    plugins = r.randint(1, 4)
    for p in range(plugins):
        with open(os.path.join(folder, f"p{p}.c"), "w") as out:
            out.write(f"static int g{p} = {p};\n#pragma omp declare target to(g{p})\nint call(int x) {{\n"
                      f"#pragma omp target map(tofrom : x)\nx += ++g{p};\nreturn x;\n}}\n")
        right(["clang-19", "-fopenmp", "-fopenmp-targets=x86_64-pc-linux-gnu", "-shared", "-fPIC", "-w", f"p{p}.c", "-o",
               f"p{p}.so"], folder)
    text = f"""#include <dlfcn.h>
#include <stdio.h>
#include <omp.h>
int main(void) {{
  int wrong = 0;
#pragma omp parallel num_threads({r.randint(1, 4)}) reduction(+ : wrong)
  for (int round = 0; round < {r.randint(5, 40)}; round++) {{
    char name[32];
    int p = (omp_get_thread_num() * 7 + round) % {plugins}, x = 1;
#pragma omp target map(tofrom : x)
    x++;
    wrong += x != 2;
    snprintf(name, sizeof name, "./p%d.so", p);
    void *plugin = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    int (*call)(int) = plugin ? (int (*)(int))dlsym(plugin, "call") : 0;
    wrong += !call || call(10) < 11;
    if (plugin) dlclose(plugin);
  }}
  printf("%d wrong\\n", wrong);
  return wrong != 0;
}}
"""
    build(folder, text, "stock")
    shared = os.path.join(ROOT, "build/lib/glibc/shared-cpu") + ":" + STOCK
    same("plug-ins", "0 wrong\n", right(["./stock"], folder, LD_LIBRARY_PATH=shared))


WORKER = """#include <stdio.h>
#include <stdlib.h>
int main(void) {
  long sum = 0, n = 1000;
  int *a = malloc(n * sizeof *a);
  if (!a) return 3;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target teams distribute parallel for map(tofrom : a[0:n])
  for (int i = 0; i < n; i++) a[i]++;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 7)
  for (int i = 0; i < n; i++) sum += a[i];
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; i++) {
#pragma omp task
    {
#pragma omp atomic
      sum++;
    }
  }
  printf("%ld\\n", sum);
  return sum != 500520;
}
"""


def limits(seed, folder):
    r = random.Random(seed)
    build(folder, WORKER, "static")
    limit = r.choice([f"-v {r.randint(500, 40000)}", f"-s {r.randint(8, 4096)}", f"-n {r.randint(0, 8)}",
                      f"-d {r.randint(100, 20000)}", f"-u {r.randint(1, 30)}"])
    settings = {"OMP_NUM_THREADS": str(r.choice([1, 2, 8, 64])), "OMP_STACKSIZE": r.choice(["64K", "1M", "64M"])}
    # 126, 127: the limit ends the shell
    done = run(["sh", "-c", f"ulimit {limit} 2>/dev/null || exit 77; exec ./static"], folder, **settings)
    if done.returncode == 0:
        same(f"ulimit {limit}", "500520\n", done.stdout)
    elif done.returncode not in (77, 126, 127) and not done.stderr and done.returncode != 3:
        raise Failed(f"ulimit {limit}: exit status {done.returncode} without a message")


FILTER = """#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>
int main(int argc, char **argv) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)atoi(argv[1]), 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)atoi(argv[2])),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {sizeof code / sizeof *code, code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return 77;
  execv(argv[3], argv + 3);
  return 77;
}
"""
# inessential system calls of x86-64
CALLS = {"madvise": 28, "getpid": 39, "fork": 57, "fcntl": 72, "sched_yield": 24, "open": 2, "openat": 257,
         "readlink": 89, "getrlimit": 97, "sched_setaffinity": 203, "sched_getaffinity": 204, "getcpu": 309,
         "prlimit64": 302, "membarrier": 324, "getrandom": 318, "clock_gettime": 228, "nanosleep": 35, "stat": 4,
         "getdents64": 217, "mlock": 149}


def seccomp(seed, folder):
    r = random.Random(seed)
    name = r.choice(sorted(CALLS))
    build(folder, WORKER, "static")
    with open(os.path.join(folder, "filter.c"), "w") as out:
        out.write(FILTER)
    right(["cc", "-w", "filter.c", "-o", "filter"], folder)
    error = r.choice([1, 38])  # EPERM, ENOSYS
    settings = {"OMP_NUM_THREADS": str(r.choice([1, 4, 16])), "OMP_PROC_BIND": r.choice(["true", "false", "spread"])}
    done = run(["./filter", str(CALLS[name]), str(error), "./static"], folder, **settings)
    if done.returncode == 77:
        return
    if done.returncode:
        raise Failed(f"without {name}: exit status {done.returncode}\n{done.stderr[-1000:]}")
    same(f"without {name}", "500520\n", done.stdout)


def hostile(seed, folder):
    r = random.Random(seed)
    names = sorted(f[:-2] for f in os.listdir(os.path.join(ROOT, "tests/hostile/programs")) if f.endswith(".c"))
    settings = {"OMP_WAIT_POLICY": r.choice(["active", "passive"]), "OMP_NUM_THREADS": str(r.choice([1, 2, 4, 9])),
                "OMP_DYNAMIC": r.choice(["true", "false"]), "OMP_PROC_BIND": r.choice(["true", "false"])}
    form = r.choice(["musl", "glibc", "dropin"])
    if form == "dropin" and settings["OMP_DYNAMIC"] == "true":  # libomp hangs in its first nowait construct (ARCHITECTURE.md)
        settings["LIBOMP_USE_HIDDEN_HELPER_TASK"] = "0"
    right(["sh", "tests/hostile/run.sh", form, r.choice(names)], ROOT,
          HOSTILE_DIR=folder, **settings)


KINDS = {"host": host, "mapping": mapping, "fork": fork, "dlopen": dlopen, "limits": limits, "seccomp": seccomp,
         "hostile": hostile}


def one(kind, seed):
    folder = os.path.join(WORK, f"{kind}-{seed}")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    try:
        KINDS[kind](seed, folder)
    except Failed as e:
        with open(os.path.join(WORK, "failed"), "a") as out:
            out.write(f"{kind}:{seed} {str(e).splitlines()[0]}\n")
        print(f"FAILED {kind}:{seed} {e}", flush=True)
        return False
    shutil.rmtree(folder)
    with open(os.path.join(WORK, "done"), "a") as out:
        out.write(f"{kind}:{seed}\n")
    return True


def tell(runs, begin, first, seed, counts, bad):
    """Writes build/soak/told and returns the current line."""
    cases = ", ".join(f"{n} {kind}" for kind, n in counts.items())
    line = f"{(time.monotonic() - begin) / 3600:.2f} hours, seeds {first} to {seed}: {cases}; {bad} failed"
    with open(os.path.join(WORK, "told.new"), "w") as out:
        out.write("".join(runs) + line + "\n")
    os.replace(os.path.join(WORK, "told.new"), os.path.join(WORK, "told"))
    return line


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hours", type=float, default=24)
    parser.add_argument("--only", default=",".join(KINDS))
    parser.add_argument("--case")
    parser.add_argument("--first", type=int, default=1)
    arguments = parser.parse_args()
    os.makedirs(WORK, exist_ok=True)
    if arguments.case:
        kind, seed = arguments.case.split(":")
        return 0 if one(kind, int(seed)) else 1
    done_file = os.path.join(WORK, "done")
    done = set(open(done_file).read().split()) if os.path.exists(done_file) else set()
    told_file = os.path.join(WORK, "told")
    runs = open(told_file).readlines() if os.path.exists(told_file) else []
    begin, seed, counts, bad = time.monotonic(), arguments.first, {}, 0
    line = "no case run"
    while time.monotonic() - begin < arguments.hours * 3600:
        for kind in arguments.only.split(","):
            if time.monotonic() - begin >= arguments.hours * 3600:
                break
            if f"{kind}:{seed}" in done:
                continue
            counts[kind] = counts.get(kind, 0) + 1
            bad += not one(kind, seed)
            line = tell(runs, begin, arguments.first, seed, counts, bad)
        seed += 1
    print(line)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
