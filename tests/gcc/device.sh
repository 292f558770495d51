#!/bin/sh
# Description: checks target constructs of GCC's objects on the host, on the CPU device with SOLO_GOMP_DEVICE=1, and in a
# program with images of Clang, in which both compilers share mappings.
cd "$(dirname "$0")/../.." || exit 1
out=build/tests/gcc/device
rm -rf $out
mkdir -p $out
fail=0
gcc -std=gnu11 -O2 -w -fopenmp -I. -c tests/gcc/device.c -o $out/gcc.o || exit 1
g++ -std=c++11 -O2 -w -fopenmp -c tests/gcc/device_cxx.cc -o $out/members.o || exit 1
cat >$out/alone.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int gcc_device(int devices), gcc_device_members(int devices);
void GOMP_offload_register_ver(unsigned version, const void *table, int target, const void *image);
int main(int count, char **argument) {
  if (count > 2) GOMP_offload_register_ver(1, "", 5, "");
  return gcc_device(atoi(argument[1])) + gcc_device_members(atoi(argument[1]));
}
END
cat >$out/both.c <<'END'
#include <stdio.h>
int gcc_device(int devices);
void gcc_increment(int *shared, int n);
int main(void) {
  int shared[10] = {0}, inside = 0, failures = gcc_device(1);
#pragma omp target enter data map(to : shared)
  shared[7] = 100;
  gcc_increment(shared, 10);
#pragma omp target map(from : inside)
  inside = shared[7];
#pragma omp target exit data map(release : shared)
  if (inside != 1 || shared[7] != 100) printf("failed: %d and %d\n", inside, shared[7]), failures++;
  return failures != 0;
}
END
expect() { # expect STATUS TEXT COMMAND...
  status=$1 text=$2
  shift 2
  "$@" >$out/log 2>&1
  actual=$?
  [ $actual = "$status" ] && { [ -z "$text" ] || grep -q -e "$text" $out/log; } && return
  echo "failed: status $actual, expected $status and '$text': $*"
  cat $out/log
  fail=1
}
cat >$out/error.c <<'END'
int main(int count, char **argument) {
  (void)argument;
  if (count > 1) {
#pragma omp error at(execution) message("no input")
  }
  return 0;
}
END
gcc -O1 -fopenmp -c $out/error.c -o $out/error.o || exit 1
build/bin/solo-cc --static --glibc $out/error.o -o $out/error || exit 1
expect 0 '' $out/error
expect 1 'error directive: no input' $out/error now
for libc in glibc musl; do
  for program in alone both; do
    build/bin/solo-cc --static --$libc -O1 $out/$program.c $out/gcc.o $out/members.o -o $out/$program-$libc >$out/log 2>&1 ||
      { echo "failed: no program $program with $libc"; cat $out/log; exit 1; }
  done
  expect 0 '' $out/alone-$libc 0
  expect 0 '' env SOLO_GOMP_DEVICE=1 $out/alone-$libc 1
  expect 0 '' $out/both-$libc
  expect 1 'MANDATORY: GCC made no device code' env OMP_TARGET_OFFLOAD=mandatory $out/alone-$libc 0
  expect 0 '' env OMP_TARGET_OFFLOAD=mandatory SOLO_GOMP_DEVICE=1 $out/alone-$libc 1
  expect 0 'device code that GCC made for nvptx' $out/alone-$libc 0 register
done
[ $fail = 0 ] && echo "target regions of GCC work on the host and on the CPU device"
exit $fail
