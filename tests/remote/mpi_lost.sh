#!/bin/sh
# Description: a rank of an MPI job dies and the other ranks survive. test_mpi_lost.c kills a server at each STEPth message over
# shared memory and TCP. If the server of an OpenMP program dies, the program continues on the host or ends with
# the reason. Servers of a killed program end.
#   mpi_lost.sh VARIANT MPI STEP
set -u
. tests/remote/mpi.sh
variant=$1 mpi=$2 step=$3
server=$PWD/build/$variant/ports/$mpi/solo-server-$mpi
B=build/$variant/tests/remote/$mpi/test_mpi_lost
llvm=/usr/lib/llvm-19/lib
mpi_ready "$mpi" "$B"
MPI_LIMIT=300
mpi_ready "$mpi" "build/lib/$mpi/libomptarget.a"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
MPI_TEST=$dir
ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0 SOLO_HOST_DEVICES=1 SIM_DEVICES=1
export MPI_TEST ASAN_OPTIONS SOLO_HOST_DEVICES SIM_DEVICES
[ "$variant" != asan ] || export UCX_MEM_EVENTS=n
fail=0
bad() { echo "failed: $*"; cat "$dir/out" "$dir/err"; fail=1; }
mpi_make_rank0 "$dir"
# A failure of rank 0 is never ignored.
job() {
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    rm -f "$dir/ended"
    SOLO_SERVER=mpi mpi_run_on "$mpi" 5 "$@" >"$dir/out" 2>"$dir/err"
    status=$?
    [ "$mpi" = mpich ] && [ $status != 124 ] || return
    [ ! -e "$dir/ended" ] || { [ "$(cat "$dir/ended")" = 0 ] && mpi_launcher_died $status "$dir/err"; } || return
  done
}

# each_message HOW KIND IMAGE OPTIONS: one job per message
each_message() {
  how=$1 kind=$2 image=$3 n=1
  shift 3
  while :; do
    job "$@" -n 1 "$dir/rank0" "$B" "$kind" "$image" $n "$step" : $servers
    grep -q ' 0 failed' "$dir/out" || { bad "$how, $kind, from message $n on: exit status $status"; return; }
    left_behind "$how, $kind, from message $n on"
    grep -q '^all: ' "$dir/out" && break
    n=$(sed -n 's/^next //p' "$dir/out")
  done
  [ "$n" -gt 24 ] || bad "$how, $kind: the work had too few messages"
}
left_behind() {
  n_left=0
  while [ -n "$(mpi_find_process "solo-server-$mpi")" ]; do
    n_left=$((n_left + 1))
    [ $n_left -lt 300 ] || { bad "$1: a server is still running"; return; }
    sleep 0.1
  done
}
servers="-n 4 $server" # with shared memory, every second server shares it with the program
[ "$SOLO_SERVER_SHARED_MEMORY" != on ] ||
  servers="-n 1 env SOLO_TEST_FAR=1 $server : -n 1 $server : -n 1 env SOLO_TEST_FAR=1 $server : -n 1 $server"
cuda=build/sim/cuda/conf-sm90.cubin host=build/sim/conf_kernels.so
case $mpi in
openmpi) # shared memory; then UCX (Open MPI's own TCP fails or hangs on writes to dead ranks)
  each_message "shared memory" host $host
  ompi_info 2>/dev/null | grep -q 'MCA pml: ucx' || { bad "this Open MPI has no UCX"; exit 1; }
  UCX_TLS=tcp,self
  export UCX_TLS
  each_message TCP cuda $cuda --mca pml ucx --mca opal_common_ucx_tls any --mca opal_common_ucx_devices any
  unset UCX_TLS
  ;;
mpich) # each rank is a separate node
  UCX_TLS=tcp,self
  export UCX_TLS
  each_message TCP host $host
  each_message TCP cuda $cuda
  ;;
esac

[ "$variant" = check ] || { [ $fail = 0 ] && echo "the surviving ranks continue"; exit $fail; }
clang-19 -O1 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu tests/remote/killed.c -o "$dir/killed" "-Lbuild/lib/$mpi" -L$llvm \
  -Wl,-rpath,$llvm $(mpi_libs "$mpi") 2>"$dir/err" || { bad "cannot build killed.c"; exit 1; }
await() { # await PATTERN
  n=0
  until grep -q "$1" "$dir/out" 2>/dev/null || [ $n = 600 ]; do sleep 0.1; n=$((n + 1)); done
  [ $n != 600 ] || bad "$when, $policy: no '$1' in the output"
}
mkfifo "$dir/in"
start() { # in the background: $launcher
  : >"$dir/out"
  OMP_TARGET_OFFLOAD=$policy mpi_run_on "$mpi" 2 -n 1 env SOLO_HOST_DEVICES=0 OMP_NUM_THREADS=2 "$dir/killed" $when : \
    -n 1 env LD_PRELOAD=$llvm/libomp.so.5 "$server" <"$dir/in" >"$dir/out" 2>"$dir/err" &
  launcher=$!
  exec 3>"$dir/in"
  await 'first on the device'
  [ $when = between ] || sleep 1 # the program's kernel never ends
}
end() {
  (echo >&3) 2>/dev/null # in a subshell because of SIGPIPE
  exec 3>&-
  wait $launcher
  status=$?
}
kill_server() {
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    start
    kill -9 $(mpi_find_process "solo-server-$mpi") || bad "$when, $policy: found no server"
    end
    mpi_launcher_died $status "$dir/err" || break
  done
  [ $status != 124 ] || bad "$when, $policy: the program hangs"
  grep -q "device server mpi:1 (process .*) has ended: its devices are lost" "$dir/err" || bad "$when, $policy: the loss is not reported"
}
for when in between during; do
  policy=default
  kill_server
  grep -q 'second on the host, 0 wrong' "$dir/out" || bad "$when: the second region was not right on the host"
  policy=mandatory
  kill_server
  ! grep -q second "$dir/out" || bad "$when: the program continued, although offloading is mandatory"
  [ $when = between ] || [ "$step" = 1 ] || continue # a server waits 20 s for the kernel
  policy=default # the program is killed
  start
  kill -9 $(mpi_find_process killed) || bad "$when: found no program"
  end
  [ $status != 124 ] || bad "$when: the program was killed, and the job did not end"
  left_behind "$when: the program was killed"
done
[ $fail = 0 ] && echo "the surviving ranks continue or end as OMP_TARGET_OFFLOAD requires"
exit $fail
