#!/bin/sh
# Description: LIBOMPTARGET_PROFILE with two device servers and clocks that differ by hours lists the work of each
# device under its server, at times that are consistent with those of the program. Over MPI, copies between servers do
# not pass through the program.
#   profile.sh VARIANT [MPI]
set -u
variant=$1
mpi=${2:-}
llvm=/usr/lib/llvm-19/lib
server=$PWD/build/$variant/ports/${mpi:+$mpi/}solo-server${mpi:+-$mpi}
[ -x "$server" ] || { echo "skipped: no device server was built"; exit 77; }
[ -f $llvm/libomp.so.5 ] || { echo "skipped: no libomp"; exit 77; }
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for skew in 7200000 -3600000; do
  printf '#!/bin/sh\nSOLO_TEST_CLOCK_MS=%s SOLO_HOST_DEVICES=1 LD_PRELOAD=%s exec %s "$@"\n' \
    "$skew" $llvm/libomp.so.5 "$server" >"$dir/server$skew"
  chmod 755 "$dir/server$skew"
done
build() { # build LIBRARIES...
  clang-19 -O1 -g -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu tests/remote/many.c -o "$dir/many" "$@" \
    -L$llvm -Wl,-rpath,$llvm -idirafter build/include -lm && return
  echo "failed: cannot build many.c"
  exit 1
}
export SOLO_SERVER_BACKENDS=host OMP_TARGET_OFFLOAD=mandatory OMP_NUM_THREADS=2 LIBOMPTARGET_PROFILE="$dir/profile"
if [ -n "$mpi" ]; then
  . tests/remote/mpi.sh
  mpi_ready "$mpi" "$server"
  build "-Lbuild/lib/$mpi" $(mpi_libs "$mpi")
else
  cp "build/$variant/solo_test.o" "$dir/solo.o"
  ar rcs "$dir/libomptarget.a" "$dir/solo.o"
  build "-L$dir"
fi
run() { # on both servers
  if [ -n "$mpi" ]; then
    mpi_run "$mpi" -n 1 env SOLO_HOST_DEVICES=0 "$dir/many" 2 : -n 1 "$dir/server7200000" : \
      -n 1 "$dir/server-3600000"
  else
    SOLO_SERVER=$dir/server7200000,$dir/server-3600000 SOLO_HOST_DEVICES=0 timeout 60 "$dir/many" 2
  fi >"$dir/log" 2>&1 || { echo "failed: exit status $?"; cat "$dir/log"; exit 1; }
}
if [ -z "$mpi" ]; then # the number of dropped records is reported
  SOLO_TEST_WORK_RECORDS=32 run
  [ "$(grep -c 'lacks [1-9][0-9]* operations of the devices of .* at most 32 are kept' "$dir/log")" = 2 ] || {
    echo "failed: dropped records are not reported"
    cat "$dir/log"
    exit 1
  }
fi
run
! grep 'lacks' "$dir/log" || { echo "failed: records were dropped without need"; exit 1; }
python3 - "$dir/profile" $mpi <<'END'
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    events = json.load(file)["traceEvents"]
names = {e["pid"]: e["args"]["name"] for e in events if e["ph"] == "M"}
servers = {pid: name for pid, name in names.items() if name != "libomptarget"}
own = [e for e in events if e["ph"] == "X" and e["pid"] not in servers]
work = [e for e in events if e["ph"] == "X" and e["pid"] in servers]
assert len(servers) == 2 and len({*servers.values()}) == 2, names
assert all("device server" in name and "process" in name for name in servers.values()), names
for pid in servers:
    kinds = {e["cat"] for e in work if e["pid"] == pid}
    assert {"Kernel Target", "HostToDev", "DevToHost"} <= kinds, kinds
    kernels = {e["name"] for e in work if e["pid"] == pid and e["cat"] == "Kernel Target"}
    assert any(name.startswith("__omp_offloading_") for name in kernels), kernels


def ns(us):
    return round(us * 1000)


def fits(e, first, last):
    """Returns whether the event can lie between first and last."""
    error = ns(e["args"]["clock_error_us"])
    return first <= ns(e["ts"]) + error and ns(e["ts"]) + ns(e["dur"]) - error <= last


def span(e):
    return ns(e["ts"]), ns(e["ts"]) + ns(e["dur"])


# Work begins after its request and ends before the report of its end, within the clock error in the trace.
begin, end = min(span(e)[0] for e in own), max(span(e)[1] for e in own)
regions = [(*span(e), e["args"]["device"]) for e in own if e["cat"] == "Runtime: target exe"]
for e in work:
    assert fits(e, begin, end), (begin, end, e)
    if e["cat"] == "Kernel Target":
        ours = [r for r in regions if r[2] == e["args"]["device"]]
        assert any(fits(e, r[0], r[1]) for r in ours), f"outside every region: {e}"
    # clocks differ by hours; a large error would prove nothing
    assert ns(e["args"]["clock_error_us"]) < 60 * 10**9, e
# each launch executed once
launched = sum(e["cat"] == "Kernel Target" for e in own)
ran = sum(e["cat"] == "Kernel Target" for e in work)
assert launched == ran > 0, (launched, ran)
# over MPI each half of a copy between two servers is a server's operation
if len(sys.argv) > 2:
    walked = 3 * (1024 + 3 * 2**20) + 4 * (0 + 1 + 2) + 2 * (1024 + 3 * 2**20)  # many.c
    moved = {c: sum(e["args"]["bytes"] for e in work if e["cat"] == c) for c in ("HostToDev", "DevToDev", "DevToHost")}
    assert moved["DevToDev"] == 2 * 2 * walked, (moved, walked)  # there and back, two halves each
    assert walked <= moved["HostToDev"] < walked + 4096 and walked <= moved["DevToHost"] < walked + 4096, (moved, walked)
print(f"{len(work)} operations of 2 servers, {ran} of them kernels, have consistent times")
END
