#!/bin/sh
# Description: invalid jobs end with a reason: two versions, no program, too many ranks, no server executable, a program
# that uses MPI itself or no device, a killed server or program. Also runs test_mpi_malformed.c.
#   mpi_faults.sh VARIANT MPI
set -u
. tests/remote/mpi.sh
variant=$1 mpi=$2
ports=build/$variant/ports/$mpi
server=$ports/solo-server-$mpi
probe=$ports/conformance_remote_host
llvm=/usr/lib/llvm-19/lib
mpi_ready "$mpi" "$server"
mpi_ready "$mpi" "build/lib/$mpi/libomptarget.a"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
MPI_TEST=$dir
export MPI_TEST
ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0 SOLO_SERVER_BACKENDS=host
export ASAN_OPTIONS SOLO_SERVER_BACKENDS
[ "$variant" != asan ] || export UCX_MEM_EVENTS=n
fail=0
bad() { echo "failed: $*"; cat "$dir/log"; fail=1; }
job() { mpi_run "$mpi" "$@" >"$dir/log" 2>&1; }
says() { # says WHAT PATTERN
  grep -q "$2" "$dir/log" || bad "$1: no '$2' in the output"
  grep -qE 'hangs|Terminated \(signal 15\)' "$dir/log" && bad "$1: the job was ended from outside"
}
SOLO_SERVER=mpi
export SOLO_SERVER
job -n 1 "$probe" --here probe/count : -n 1 env SOLO_TEST_MPI_VERSION=1 "$server" && bad "versions differ: the job succeeded"
says "versions differ" 'different versions'
job -n 2 "$server" && bad "two servers and no program: the job succeeded"
says "no program" 'rank 0 is not a program'
for _ in 1 2 3; do # Open MPI's mpirun sometimes loses the output when two ranks end together
  job -n 1 true : -n 2 "$server" && bad "rank 0 is another program and ends: the job succeeded"
  [ ! -s "$dir/log" ] || break
done
says "rank 0 is another program" "rank 0 of the MPI job has ended, and was no program of solo's"
job -n 1 "$probe" --here probe/count : -n 5 "$server"
says "six ranks" 'more ranks than a program can use'
says "six ranks" 'pass     probe/count'
SOLO_SERVER=@some job -n 1 "$server" : -n 1 "$server" && bad "SOLO_SERVER names another server: the job succeeded"
says "another server" 'SOLO_SERVER=@some'

B=build/$variant/tests/remote/$mpi/test_mpi_malformed
job -n 1 "$B" 5 : -n 2 "$server" || bad "malformed messages: exit status $?"
job -n 1 "$B" liar : -n 1 env SOLO_SERVER=none "$B" || bad "a faulty server: exit status $?"
unset SOLO_SERVER

cat >"$dir/program.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef USES_MPI
#include <mpi.h>
#endif
extern char **environ;
/* Moves the variables, so that /proc/PID/environ shows none. */
static void hide_variables(void) {
  for (char **v = environ; *v; v++) {
    char *was = *v;
    *v = strdup(was);
    memset(was, 'x', strlen(was));
  }
}
int main(int argc, char **argv) {
  int seconds = argc > 1 ? atoi(argv[1]) : 0, done = 0;
  if (argc > 3) hide_variables();
  if (argc > 2) sleep(atoi(argv[2])); /* before the first device query */
#ifdef USES_MPI
  MPI_Init(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
#endif
  if (seconds < 0) return 3;
#pragma omp target map(tofrom : done) firstprivate(seconds)
  {
    for (long n = 0; n < seconds * 1000000000L; n++) __asm__ volatile("");
    done = 1;
  }
  printf("done %d\n", done);
  const char *helper = getenv("HELPER");
  if (helper) {
    char command[4096];
    snprintf(command, sizeof command, "%s", helper);
    unsetenv("HELPER"); /* not for the helper */
    printf("helper %d\n", WEXITSTATUS(system(command)));
  }
#ifdef USES_MPI
  MPI_Finalize();
#endif
  return 0;
}
END
source=$dir/program.c
build() { # build PROGRAM OPTIONS...
  program=$1
  shift
  clang-19 -O1 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu "$source" -o "$dir/$program" "$@" \
    "-Lbuild/lib/$mpi" -L$llvm -Wl,-rpath,$llvm $(mpi_libs "$mpi") >"$dir/log" 2>&1 || { bad "cannot build $program"; exit 1; }
}
build program
build user -DUSES_MPI $("mpicc.$mpi" -show | tr ' ' '\n' | grep '^-I' | sed 's/-I/-isystem/')
source=tests/remote/forked.c
build forked
OMP_TARGET_OFFLOAD=mandatory
export OMP_TARGET_OFFLOAD
here="env SOLO_HOST_DEVICES=0"
job -n 1 $here "$dir/program" -1 : -n 1 "$server"
[ $? = 124 ] && bad "no device is used: the servers do not end"
# servers wait for a program that is busy longer than their search, with any parent process
printf '#!/bin/sh\n"$@"\nexit $?\n' >"$dir/wrapper"
chmod 755 "$dir/wrapper"
job -n 1 $here "$dir/program" 0 6 : -n 1 "$dir/wrapper" "$server" || bad "the server's parent is a wrapper"
says "the server's parent is a wrapper" 'done 1'
job -n 1 $here "$dir/program" 0 6 hidden : -n 1 "$server" || bad "the program's variables are hidden"
says "the program's variables are hidden" 'done 1'
job -n 1 $here "$dir/forked" : -n 1 "$server" && bad "a child of fork uses the job's servers"
says "a child of fork" 'belongs to the parent process'
job -n 2 $here "$dir/program" && bad "no server executable: the job succeeded"
says "no server executable" 'was found to make the rank a device server'
job -n 1 $here "$dir/user" && bad "a program that uses MPI itself: the job succeeded"
SOLO_SERVER=mpi job -n 1 $here "$dir/user" && bad "a program that uses MPI itself: the job succeeded"
says "a program that uses MPI" 'the program uses MPI itself'
job -n 1 $here "$dir/user" : -n 2 "$server" && bad "a program that uses MPI itself and has servers: the job succeeded"
says "a program that uses MPI and has servers" "MPI_Init fails: the other ranks of the job are this program's device servers"
# Fortran: some calls bypass MPI_Init; the unused region links the library
for module in "include 'mpif.h'" 'use mpi_f08'; do
  case $module in
  use*) printf 'program main\n%s\ninteger error, level\ncall mpi_init_thread(MPI_THREAD_SINGLE, level, error)\n' "$module" ;;
  *) printf 'program main\n%s\ninteger error\ncall mpi_init(error)\n' "$module" ;;
  esac >"$dir/fortran.f90"
  printf "call mpi_barrier(MPI_COMM_WORLD, error)\nprint *, 'met'\ncall mpi_finalize(error)\nend program\n" >>"$dir/fortran.f90"
  clang-19 -O1 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -Dmain=region -c "$dir/program.c" -o "$dir/region.o" &&
    "mpifort.$mpi" "$dir/fortran.f90" "$dir/region.o" -o "$dir/fortran" "-Lbuild/lib/$mpi" -lomptarget -L$llvm -lomp -Wl,-rpath,$llvm \
      $(mpi_libs "$mpi") >"$dir/log" 2>&1 || { bad "$module: cannot build the program"; continue; }
  job -n 1 $here "$dir/fortran" : -n 2 "$server" && bad "$module: a program that uses MPI itself and has servers: the job succeeded"
  says "$module" "MPI_Init fails: the other ranks of the job are this program's device servers"
  SOLO_SERVER=none job -n 2 $here "$dir/fortran" || bad "$module: a program on all ranks failed"
  [ "$(grep -c met "$dir/log")" = 2 ] || bad "$module: not both ranks passed the barrier"
done
# children inherit the launcher's variables, but are no ranks of the job
for helper in "$dir/program -1" "env SOLO_SERVER=mpi $dir/program -1"; do
  HELPER=$helper job -n 1 $here "$dir/program" : -n 1 "$server" || bad "a program that starts a helper ($helper)"
  says "a program that starts a helper ($helper)" 'helper 3'
done

if [ "$mpi" = mpich ]; then # (Open MPI's mpirun does not run inside a job)
  HELPER="mpirun.mpich -n 1 $here $dir/program : -n 1 env SOLO_HOST_DEVICES=1 $server" job -n 1 $here "$dir/program" : -n 1 "$server" || bad "a job within a job"
  says "a job within a job" 'helper 0'
fi

# one side is killed: the launcher ends the other
for victim in "$dir/program" "$server"; do
  mpi_run "$mpi" -n 1 $here "$dir/program" 600 : -n 1 "$PWD/$server" >"$dir/log" 2>&1 &
  launcher=$! start=$(date +%s)
  process= n=0
  while [ -z "$process" ] && [ $n -lt 500 ]; do
    sleep 0.1
    n=$((n + 1))
    process=$(mpi_find_process "${victim##*/}")
  done
  sleep 1
  [ -n "$process" ] && kill -9 "$process" || bad "found no process $victim"
  wait $launcher
  [ $? = 0 ] && bad "$victim was killed, but the job succeeded"
  [ $(($(date +%s) - start)) -lt 100 ] || bad "$victim was killed: the job did not end until the limit of mpi_run"
done
[ $fail = 0 ] && echo "invalid jobs end with a reason"
exit $fail
