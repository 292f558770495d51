# Sourced by tests of the MPI transport: mpi_run MPI RANKS... runs a job, however few processors there
# are and whoever runs it, at most 100 s.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_mpi_yield_when_idle
mpi_run() {
  mpi_launcher=mpirun.$1
  shift
  timeout -k 5 100 "$mpi_launcher" "$@"
}
mpi_libs() { # what programs of the implementation are linked with
  "mpicc.$1" -show | tr ' ' '\n' | grep '^-[Ll]' | tr '\n' ' '
}
mpi_ready() { # mpi_ready MPI FILE: skips the test where there is no such MPI
  command -v "mpirun.$1" >/dev/null || { echo "skipped: no mpirun.$1 (./configure.sh --bootstrap installs it)"; exit 77; }
  [ -e "$2" ] || { echo "skipped: $2 was not built"; exit 77; }
}
