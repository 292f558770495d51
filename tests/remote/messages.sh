#!/bin/sh
# Description: the number of messages per step of examples/cluster.c on four servers equals the number in bench/remote_scale.py.
#   messages.sh VARIANT [MPI]
set -u
. tests/remote/mpi.sh
variant=$1 mpi=${2:-}
llvm=/usr/lib/llvm-19/lib
server=$PWD/build/$variant/ports/${mpi:+$mpi/}solo-server${mpi:+-$mpi}
[ -x "$server" ] || { echo "skipped: no device server was built"; exit 77; }
[ -z "$mpi" ] || mpi_ready "$mpi" "$server"
[ -f $llvm/libomp.so.5 ] || { echo "skipped: no libomp"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
preload="SOLO_HOST_DEVICES=1 OMP_NUM_THREADS=1 LD_PRELOAD=$llvm/libomp.so.5"
printf '#!/bin/sh\n%s exec %s "$@"\n' "$preload" "$server" >"$dir/server"
chmod 755 "$dir/server"
ld -r "build/$variant/solo_test.o" ${mpi:+"build/$variant/backends/remote/$mpi/program.o"} -o "$dir/solo.o"
ar rcs "$dir/libomptarget.a" "$dir/solo.o"
clang-19 -O1 -g -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu examples/cluster.c -o "$dir/cluster" \
  "-L$dir" -L$llvm -Wl,-rpath,$llvm \
  -idirafter build/include ${mpi:+$(mpi_libs "$mpi")} >"$dir/log" 2>&1 || {
  echo "failed: cannot build examples/cluster.c"
  cat "$dir/log"
  exit 1
}
SOLO_SERVER_BACKENDS=host SOLO_HOST_DEVICES=0 OMP_TARGET_OFFLOAD=mandatory SOLO_TEST_MESSAGES=1
export SOLO_SERVER_BACKENDS SOLO_HOST_DEVICES OMP_TARGET_OFFLOAD SOLO_TEST_MESSAGES
for steps in 10 30; do
  if [ -n "$mpi" ]; then
    mpi_run "$mpi" -n 1 "$dir/cluster" 130 96 $steps : -n 4 "$dir/server"
  else
    SOLO_SERVER=$dir/server,$dir/server,$dir/server,$dir/server timeout 60 "$dir/cluster" 130 96 $steps
  fi >"$dir/log" 2>&1 || { echo "failed: exit status $?"; cat "$dir/log"; exit 1; }
  sed -n 's/^messages of kind //p' "$dir/log" >"$dir/$steps"
done
python3 - "$dir/10" "$dir/30" $mpi <<'END'
import re
import sys

sys.path.insert(0, "bench")
import remote_scale

DEVICES, STEPS = 4, 20
with open("backends/remote/remote_wire.h", encoding="utf-8") as file:
    body = re.search(r"typedef enum solo_remote_kind \{(.*?)\} solo_remote_kind", file.read(), re.S).group(1)
kinds = ["", *re.findall(r"SOLO_REMOTE_(\w+)", body)]


def read(path):
    with open(path, encoding="utf-8") as file:
        return {kinds[int(kind)]: int(count) for kind, count in (line.split(": ") for line in file)}


few, many = read(sys.argv[1]), read(sys.argv[2])
found = {kind: (many[kind] - few.get(kind, 0)) / STEPS for kind in many if many[kind] != few.get(kind, 0)}
found.pop("QUEUE_OPEN", 0)  # depends on concurrency
found["LAUNCH"] -= 1  # the reference result of one device
print("messages per step on", DEVICES, "devices:", found)
expected = remote_scale.messages(DEVICES, over_mpi=len(sys.argv) > 3)
for kind in {*found, *expected}:
    assert found.get(kind, 0) == expected.get(kind, 0), (kind, found.get(kind, 0), expected.get(kind, 0))
END
[ $? = 0 ] || { echo "failed: bench/remote_scale.py has other numbers of messages"; exit 1; }
