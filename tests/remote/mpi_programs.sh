#!/bin/sh
# Description: programs of tests/programs run their regions on another rank of an MPI job. many.c uses four servers.
# Other ranks that run the same program become servers. Uses the installed form (build/lib, build/bin).
#   mpi_programs.sh MPI NAME... | all
set -u
. tests/remote/mpi.sh
. tests/remote/program_list.sh
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
# libomp for the server's CPU code
preload="LD_PRELOAD=$llvm/libomp.so.5"
build() { # build SOURCE PROGRAM
  $(compiler_of "$1" 19) -O1 -g -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu "$1" -o "$dir/$2" \
    "-Lbuild/lib/$mpi" -L$llvm -Wl,-rpath,$llvm -idirafter build/include $(mpi_libs "$mpi") -lm >"$dir/log" 2>&1 && return
  echo "failed: cannot build $2"
  cat "$dir/log"
  exit 1
}
sources=$(programs_of mpi "$@") || exit 1
for source in $sources; do
  name=$(basename "$source")
  build "$source" "$name"
  run "$name" -n 1 env SOLO_HOST_DEVICES=0 "$dir/$name" : -n 1 env $preload "$server"
done
build tests/remote/many.c many
run "four servers" -n 1 env SOLO_HOST_DEVICES=0 "$dir/many" 5 : \
  -n 3 env $preload "$server" : -n 1 env $preload SOLO_HOST_DEVICES=2 "$server"
# libsolo without libomp
clang-19 -O1 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -c tests/remote/many.c -o "$dir/one.o" &&
  clang-19 --offload-link "$dir/one.o" "-Lbuild/lib/$mpi" -lsolo build/lib/glibc/libsolo_atomic.a \
    $(mpi_libs "$mpi") -lpthread -lm -o "$dir/one" >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
readelf -d "$dir/one" | grep -q libomp && { echo "failed: the program without libomp links libomp"; fail=1; }
run "without libomp" -n 1 env SOLO_HOST_DEVICES=0 "$dir/one" 2 : -n 2 env $preload "$server"
# the devices of all ranks; rank 0's is first
SOLO_SERVER=mpi:$server
export SOLO_SERVER
run "four ranks of one program" -n 4 env $preload "$dir/many" 4
[ "$(grep -c '4 devices' "$dir/log")" = 1 ] || { echo "failed: main ran on other ranks"; fail=1; }
[ $fail = 0 ] && echo "$(echo "$sources" | wc -l) programs run on other ranks"
exit $fail
