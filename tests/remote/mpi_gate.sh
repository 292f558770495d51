#!/bin/sh
# Description: runs test_mpi_gate.c in a job with two servers: mpi_gate.sh VARIANT MPI
set -u
. tests/remote/mpi.sh
B=build/$1/tests/remote/$2/test_mpi_gate
mpi_ready "$2" "$B"
# UCX patches the same functions as AddressSanitizer
[ "$1" != asan ] || export UCX_MEM_EVENTS=n
ASAN_OPTIONS=detect_leaks=0 # UCX leaks memory
export ASAN_OPTIONS
SOLO_SERVER=mpi SOLO_HOST_DEVICES=1 SIM_DEVICES=2
export SOLO_SERVER SOLO_HOST_DEVICES SIM_DEVICES
server=build/$1/ports/$2/solo-server-$2
for image in build/sim/cuda/conf-sm90.cubin ""; do
  mpi_run "$2" -n 1 "$B" $image : -n 2 "$server" || exit 1
  [ "$SOLO_SERVER_SHARED_MEMORY" = on ] || continue # next, only one server shares memory with the program
  mpi_run "$2" -n 1 "$B" $image : -n 1 "$server" : -n 1 env SOLO_TEST_FAR=1 "$server" || exit 1
  mpi_run "$2" -n 1 "$B" $image : -n 1 env SOLO_TEST_FAR=1 "$server" : -n 1 "$server" || exit 1
done
