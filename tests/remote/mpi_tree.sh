#!/bin/sh
# Description: test_tree.c copies an array to all devices of an MPI job with and without forwarding between servers.
# everywhere.c does the same on eight servers.
#   mpi_tree.sh VARIANT MPI KIND...
set -u
. tests/remote/mpi.sh
variant=$1 mpi=$2
shift 2
server=build/$variant/ports/$mpi/solo-server-$mpi
B=build/$variant/tests/remote/$mpi/test_tree
llvm=/usr/lib/llvm-19/lib
mpi_ready "$mpi" "$B"
MPI_LIMIT=300 # nine polling ranks share the processors
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0 SOLO_HOST_DEVICES=1 SIM_DEVICES=1
export ASAN_OPTIONS SOLO_HOST_DEVICES SIM_DEVICES
[ "$variant" != asan ] || export UCX_MEM_EVENTS=n
fail=0
job() { # job NAME ARGUMENTS...
  name=$1
  shift
  mpi_run "$mpi" "$@" >"$dir/log" 2>&1 && return
  echo "failed: $name: exit status $?"
  cat "$dir/log"
  fail=1
}
for kind in "$@"; do
  SOLO_SERVER=mpi job "$kind" -n 1 "$B" "$kind" : -n 4 "$server"
  SOLO_SERVER=mpi job "$kind, too late" -n 1 "$B" "$kind" late : -n 4 env SOLO_TEST_LATE_FORWARDS=1 "$server"
done
server=build/bin/solo-server-$mpi
if [ -x "$server" ] && [ -f $llvm/libomp.so.5 ]; then
  clang-19 -O1 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu tests/remote/everywhere.c -o "$dir/everywhere" \
    "-Lbuild/lib/$mpi" -L$llvm -Wl,-rpath,$llvm $(mpi_libs "$mpi") >"$dir/log" 2>&1 || {
    echo "failed: cannot build everywhere.c"
    cat "$dir/log"
    exit 1
  }
  SOLO_SERVER_BACKENDS=host OMP_TARGET_OFFLOAD=mandatory
  export SOLO_SERVER_BACKENDS OMP_TARGET_OFFLOAD
  job "everywhere.c" -n 1 env SOLO_HOST_DEVICES=0 "$dir/everywhere" 8 : \
    -n 8 env OMP_NUM_THREADS=1 LD_PRELOAD=$llvm/libomp.so.5 "$server"
fi
[ $fail = 0 ] && echo "all devices have the array's values"
exit $fail
