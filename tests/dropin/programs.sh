#!/bin/sh
# Description: the integration tests of tests/programs, built by plain Clang with one added -L and, for
# Clang 19, linked with stock and run on libsolo.so by library path. Arguments: version, options.
. tests/dropin/lib.sh
v=$1
shift
need "clang-$v"
check() { # check NAME COMMAND: runs it
  what=$1
  shift
  "$@" >out 2>&1 || { fail "$what"; cat out; }
}
for source in "$root"/tests/programs/*.c "$root"/tests/programs/*.cpp; do
  name=$(basename "$source")
  make=cc
  only=$(sed -n 's/.*Only: clang-\([0-9]*\).*/\1/p' "$source")
  [ -z "$only" ] || [ "$only" = "$v" ] || continue
  own=$(sed -n 's/.*Options: \([^*]*\).*/\1/p' "$source")
  case $name in
  fork_hostile.c) continue ;; # fork_hostile.sh runs that one
  large_range.c) continue ;;  # its tool must be found by libomp, before main: tests/ompt
  *.cpp) make=cxx ;;
  esac
  ours=
  ! grep -q '<solo_' "$source" || ours="-idirafter $root/build/include"
  # compiled once, linked with each library
  $make $v -g $own "$@" $ours -c "$source" -o program.o && $make $v -g program.o -L"$lib" $(libomp $v) -o program ||
    { fail "$name: build"; continue; }
  export OMP_TARGET_OFFLOAD=mandatory OMP_NUM_THREADS=4
  # libomp 19's hidden helper threads assert (kmp_tasking.cpp:4368, no task team) when a target task
  # is over before the thread that made it has set up its team: 5 runs of 60 with solo, whose tasks
  # are that short
  case $name in tasks.c) export LIBOMP_USE_HIDDEN_HELPER_TASK=0 ;; *) unset LIBOMP_USE_HIDDEN_HELPER_TASK ;; esac
  check "$name" timeout 50 ./program
  # without the helpers libomp lets a nowait construct run where it stands; with them it hangs here (ARCHITECTURE.md)
  [ "$name" != nowait.c ] ||
    check "$name, dynamic" env OMP_DYNAMIC=true LIBOMP_USE_HIDDEN_HELPER_TASK=0 timeout 50 ./program
  if [ "$ours" ]; then # what stock does not have; linked with libsolo.so
    $make $v -g program.o -L"$lib/shared-cpu" $(libomp $v) -o program ||
      { fail "$name: build with libsolo.so"; continue; }
    check "$name with libsolo.so" env LD_LIBRARY_PATH=$lib/shared-cpu timeout 50 ./program
    continue
  fi
  [ "$v" = 19 ] && [ -e "$stock/libomptarget.so" ] || continue
  $make $v -g program.o -L"$stock" -o program || { fail "$name: build with stock"; continue; }
  readelf -d program | grep -q 'NEEDED.*libomptarget.so.19.1' || fail "$name: not linked with stock"
  check "$name on libsolo.so" env LD_LIBRARY_PATH=$lib/shared-cpu timeout 50 ./program
done
finish
