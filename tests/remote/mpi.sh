# Functions for tests of the MPI transport. mpi_run MPI RANKS... runs a job for at most MPI_LIMIT seconds (default 100)
# and prints its output afterwards; mpi_launch does not collect the output. Ranks use messages unless the test
# sets SOLO_SERVER_SHARED_MEMORY.
: "${SOLO_SERVER_SHARED_MEMORY=off}"
export SOLO_SERVER_SHARED_MEMORY
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_mpi_yield_when_idle
mpi_launch() {
  mpi_launcher=mpirun.$1
  shift
  timeout -k 5 "${MPI_LIMIT:-100}" "$mpi_launcher" "$@"
}
# If mpirun of Open MPI 4.1 is not scheduled for two seconds when a rank ends, mpirun misses the rank's MPI_Finalize, and
# the job fails. mpi_run repeats such a job, unless a rank reports that the rank did not finalize MPI.
mpi_was_kept_from_running() { # STATUS MPI STDERR
  [ "$1" = 1 ] && [ "$2" = openmpi ] && grep -q 'exiting improperly' "$3" && ! grep -qE 'not finalized|solo-server-' "$3"
}
mpi_run() {
  mpi_said=$(mktemp -d)
  for mpi_tries in 2 1 0; do
    mpi_status=0
    mpi_launch "$@" >"$mpi_said/out" 2>"$mpi_said/err" || mpi_status=$?
    [ $mpi_tries != 0 ] && mpi_was_kept_from_running $mpi_status "$1" "$mpi_said/err" || break
    echo "mpi_run: the launcher missed an MPI_Finalize; retry" >&2
  done
  cat "$mpi_said/out"
  cat "$mpi_said/err" >&2
  rm -rf "$mpi_said"
  return $mpi_status
}
# mpi_run_on MPI NODES RANKS...: a job in which the other ranks survive a rank's death. MPICH's launcher ends all ranks
# of the node, so each rank gets a simulated node.
mpi_run_on() {
  mpi_kind=$1 mpi_nodes=$2
  shift 2
  case $mpi_kind in
  openmpi) mpi_launch openmpi --enable-recovery "$@" ;;
  mpich) mpi_launch mpich -disable-auto-cleanup -launcher fork -hosts "$(seq -s, -f node%g "$mpi_nodes")" -ppn 1 "$@" ;;
  esac
}
# mpi_make_rank0 DIR: makes DIR/rank0, which runs rank 0 and writes the exit status of rank 0 to DIR/ended. If the file is
# missing, the launcher has ended both. (MPICH's launcher sends SIGUSR1 to all ranks when a rank has died.)
mpi_make_rank0() {
  cat >"$1/rank0" <<END
#!/bin/sh
trap '' USR1
"\$@"
echo \$? >"$1/ended.new"
mv "$1/ended.new" "$1/ended" # atomic for readers
END
  chmod 755 "$1/rank0"
}
# mpi_launcher_died STATUS STDERR: MPICH's launcher may die, with the job, when it writes to a node of dead ranks.
mpi_launcher_died() { [ "$1" != 124 ] && { [ "$1" = 141 ] || grep -q '^\[mpiexec@' "$2"; }; }
# mpi_find_process NAME: processes of this test (with this MPI_TEST)
mpi_find_process() {
  for p in $(ls -l /proc/[0-9]*/exe 2>/dev/null | sed -n "s|.* /proc/\([0-9]*\)/exe -> .*/$1\$|\1|p"); do
    tr '\0' '\n' 2>/dev/null <"/proc/$p/environ" | grep -qxF "MPI_TEST=$MPI_TEST" && echo "$p"
  done
}
mpi_libs() { # linker options of the MPI library
  "mpicc.$1" -show | tr ' ' '\n' | grep '^-[Ll]' | tr '\n' ' '
}
mpi_ready() { # mpi_ready MPI FILE: skips the test without this MPI
  command -v "mpirun.$1" >/dev/null || { echo "skipped: no mpirun.$1 (./configure.sh --bootstrap installs it)"; exit 77; }
  [ -e "$2" ] || { echo "skipped: $2 was not built"; exit 77; }
}
