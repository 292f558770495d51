#!/bin/sh
# Description: short jobs end over TCP, although MPICH can hang in MPI_Finalize (backends/remote/remote_mpi_quiesce.c).
# They also end if a server dies while the ranks stop their MPI calls.
#   mpi_end.sh VARIANT MPI JOBS
set -u
. tests/remote/mpi.sh
variant=$1 mpi=$2 jobs=$3
suite=build/$variant/ports/$mpi/conformance_remote_host server=build/$variant/ports/$mpi/solo-server-$mpi
mpi_ready "$mpi" "$suite"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
SOLO_SERVER=mpi SOLO_HOST_DEVICES=1
MPIR_CVAR_NOLOCAL=1 UCX_TLS=tcp,self   # MPICH
OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,self # Open MPI
ASAN_OPTIONS=detect_leaks=0
export SOLO_SERVER SOLO_HOST_DEVICES MPIR_CVAR_NOLOCAL UCX_TLS OMPI_MCA_pml OMPI_MCA_btl ASAN_OPTIONS
[ "$variant" != asan ] || export UCX_MEM_EVENTS=n
bad() { echo "failed: $*"; cat "$dir/log"; exit 1; }
for n in $(seq "$jobs"); do
  mpi_run "$mpi" -n 1 "$suite" --here memory/alloc : -n $((n % 4 + 1)) "$server" >"$dir/log" 2>&1
  status=$?
  [ $status = 0 ] || bad "job $n: exit status $status (124: it did not end)"
  grep -q ' 1 passed, 0 failed' "$dir/log" || bad "job $n: memory/alloc did not pass"
done
# a program without devices accepts no liveness connection before its end
for n in $(seq "$jobs"); do
  mpi_run "$mpi" -n 1 "build/$variant/tests/remote/$mpi/test_mpi_gate" none : -n 4 "$server" >"$dir/log" 2>&1 || bad "job $n without a device failed"
done
[ "$mpi" = mpich ] || { echo "$jobs jobs have ended"; exit 0; }
mpi_make_rank0 "$dir"
for dies in 1 2 4; do
  for _ in $(seq 20); do # MPICH's launcher dies more often on a loaded machine
    rm -f "$dir/ended"
    SOLO_TEST_MPI_DIES_QUIESCING=$dies mpi_run_on mpich 5 -n 1 "$dir/rank0" "$suite" --here memory/alloc : -n 4 "$server" >"$dir/log" 2>&1
    status=$?
    [ ! -e "$dir/ended" ] && mpi_launcher_died $status "$dir/log" || break
  done
  [ $status != 124 ] || bad "rank $dies died while quiescing: the other ranks hang"
  [ "$(cat "$dir/ended")" = 0 ] || bad "rank $dies died while quiescing: exit status $(cat "$dir/ended") of rank 0, $status of the job"
done
echo "$jobs jobs have ended, and three that lost a server while quiescing"
