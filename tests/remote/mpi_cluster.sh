#!/bin/sh
# Description: examples/cluster.c, linked with MPI, computes exactly the result of one device without servers, with local servers,
# with a running server, and in MPI jobs of servers with two CPU devices each.
#   mpi_cluster.sh MPI SERVERS...
set -u
. tests/remote/mpi.sh
mpi=$1
shift
server=$PWD/build/bin/solo-server-$mpi
llvm=/usr/lib/llvm-19/lib
mpi_ready "$mpi" "$server"
[ -f $llvm/libomp.so.5 ] || { echo "skipped: no libomp"; exit 77; }
dir=$(mktemp -d)
joined=
trap '[ -z "$joined" ] || kill $joined; rm -rf "$dir"' EXIT
fail=0
# the CPU code of the servers needs libomp
printf '#!/bin/sh\nSOLO_HOST_DEVICES=2 OMP_NUM_THREADS=1 LD_PRELOAD=%s exec %s "$@"\n' \
  $llvm/libomp.so.5 "$PWD/build/bin/solo-server" >"$dir/server"
chmod 755 "$dir/server"
clang-19 -O1 -g -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu examples/cluster.c -o "$dir/cluster" \
  "-Lbuild/lib/$mpi" -L$llvm -Wl,-rpath,$llvm -idirafter build/include $(mpi_libs "$mpi") >"$dir/log" 2>&1 || {
  echo "failed: cannot build examples/cluster.c"
  cat "$dir/log"
  exit 1
}
unset SOLO_SERVER SOLO_SERVER_BACKENDS
OMP_TARGET_OFFLOAD=mandatory OMP_NUM_THREADS=2
export OMP_TARGET_OFFLOAD OMP_NUM_THREADS
run() { # run DEVICES WHAT COMMAND...
  devices=$1 what=$2
  shift 2
  "$@" >"$dir/log" 2>&1
  rc=$?
  [ $rc = 0 ] && grep -q "devices  *$devices\$" "$dir/log" && grep -q ': right$' "$dir/log" && return
  echo "failed: $what: exit status $rc"
  cat "$dir/log"
  fail=1
}
size="130 96 30"
run 2 alone env SOLO_HOST_DEVICES=2 timeout 60 "$dir/cluster" $size
here="env SOLO_HOST_DEVICES=0 SOLO_SERVER_BACKENDS=host"
run 4 "two local servers" $here SOLO_SERVER="$dir/server,$dir/server" timeout 60 "$dir/cluster" $size
"$dir/server" --listen=solo-test-cluster-$$ >"$dir/listens" 2>&1 &
joined=$!
n=0
until [ -s "$dir/listens" ] || [ $n = 600 ]; do sleep 0.1; n=$((n + 1)); done
run 2 "a server that runs" $here SOLO_SERVER=@solo-test-cluster-$$ timeout 60 "$dir/cluster" $size
for servers; do
  run $((2 * servers)) "$servers ranks" mpi_run "$mpi" -n 1 $here "$dir/cluster" $size : \
    -n $servers env SOLO_HOST_DEVICES=2 OMP_NUM_THREADS=1 LD_PRELOAD=$llvm/libomp.so.5 "$server"
done
[ $fail = 0 ] && echo "one executable computes the same result alone, with local servers and on other ranks"
exit $fail
