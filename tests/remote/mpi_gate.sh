#!/bin/sh
# Description: test_mpi_gate.c in a job of two servers: mpi_gate.sh VARIANT MPI
set -u
. tests/remote/mpi.sh
B=build/$1/tests/remote/$2/test_mpi_gate
mpi_ready "$2" "$B"
SOLO_SERVER=mpi SOLO_HOST_DEVICES=1 SIM_DEVICES=2
export SOLO_SERVER SOLO_HOST_DEVICES SIM_DEVICES
mpi_run "$2" -n 1 "$B" build/sim/cuda/conf-sm90.cubin : -n 2 "build/$1/ports/$2/solo-server-$2" || exit 1
mpi_run "$2" -n 1 "$B" : -n 2 "build/$1/ports/$2/solo-server-$2"
