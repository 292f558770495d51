#!/bin/sh
# Description: programs of tests/programs, unchanged, with embedded CPU images, run their regions on
# the other ranks of an MPI job: mpi_programs.sh MPI NAME... First beside named servers, then in the
# form where each other rank of the program becomes one. With what users get: build/lib, build/bin.
set -u
. tests/remote/mpi.sh
mpi=$1
shift
server=$PWD/build/bin/solo-server-$mpi
llvm=/usr/lib/llvm-19/lib
mpi_ready "$mpi" "$server"
[ -f $llvm/libomp.so.5 ] || { echo "skipped: no libomp"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

OMP_TARGET_OFFLOAD=mandatory OMP_NUM_THREADS=2 SOLO_SERVER_BACKENDS=host
export OMP_TARGET_OFFLOAD OMP_NUM_THREADS SOLO_SERVER_BACKENDS
fail=0
run() { # run WHAT ARGUMENTS...
  what=$1
  shift
  mpi_run "$mpi" "$@" >"$dir/log" 2>&1 && return
  echo "failed: $what: exit status $?"
  tail -5 "$dir/log"
  fail=1
}
# the server's CPU code finds libomp in its process
preload="LD_PRELOAD=$llvm/libomp.so.5"
# rank 0 has no CPU device of its own, so that nothing runs there by mistake
for name; do
  clang-19 -O1 -g -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu "tests/programs/$name.c" -o "$dir/$name" \
    "-Lbuild/lib/$mpi" -L$llvm -Wl,-rpath,$llvm -idirafter build/include $(mpi_libs "$mpi") -lm >"$dir/log" 2>&1 || {
    echo "failed: $name is not built"
    cat "$dir/log"
    fail=1
    continue
  }
  run "$name" -n 1 env SOLO_HOST_DEVICES=0 "$dir/$name" : -n 1 env $preload "$server"
done
run "$1 with four servers" -n 1 env SOLO_HOST_DEVICES=0 "$dir/$1" : -n 4 env $preload "$server"
# the variable is seen by all ranks: without a CPU device of rank 0's own 0 would be everybody's
SOLO_SERVER=mpi:$server
export SOLO_SERVER
run "$1 started four times" -n 4 env SOLO_HOST_DEVICES=1 $preload "$dir/$1"
[ $fail = 0 ] && echo "$# programs run on other ranks"
exit $fail
