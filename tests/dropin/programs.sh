#!/bin/sh
# Description: builds tests/programs with Clang and -L. With Clang 19, also links them with LLVM's libomptarget and runs
# them with libsolo.so.   programs.sh VERSION [all] OPTION...      default: 12 programs
. tests/dropin/lib.sh
v=$1
shift
need "clang-$v"
selected=' context.c globals.c indirect.c indirect_mapped.c map_mapper.c map_struct.c nowait.c private.c regions.c tasks.c
  use_device_member.cpp virtual.cpp '
if [ "${1:-}" = all ]; then selected='' && shift; fi
check() { # check NAME COMMAND: must succeed
  what=$1
  shift
  "$@" >out 2>&1 || { fail "$what"; cat out; }
}
for source in "$root"/tests/programs/*.c "$root"/tests/programs/*.cpp; do
  name=$(basename "$source")
  make=cc
  case $selected in '' | *" $name"[[:space:]]*) ;; *) continue ;; esac
  only=$(sed -n 's/.*Only: clang-\([0-9]*\).*/\1/p' "$source")
  [ -z "$only" ] || [ "$only" = "$v" ] || continue
  own=$(sed -n 's/.*Options: \([^*]*\).*/\1/p' "$source")
  case $name in
  fork_hostile.c) continue ;; # fork_hostile.sh
  large_range.c) continue ;;  # an OMPT tool: tests/ompt
  *.cpp) make=cxx ;;
  esac
  ours=
  ! grep -q '<solo_' "$source" || ours="-idirafter $root/build/include"
  $make $v -g $own "$@" $ours -c "$source" -o program.o && $make $v -g program.o -L"$lib" $(libomp $v) -o program ||
    { fail "$name: build"; continue; }
  export OMP_TARGET_OFFLOAD=mandatory OMP_NUM_THREADS=4
  # libomp 19 asserts in hidden helper threads (kmp_tasking.cpp:4368) if a target task ends before its thread has set up
  # the team
  case $name in tasks.c) export LIBOMP_USE_HIDDEN_HELPER_TASK=0 ;; *) unset LIBOMP_USE_HIDDEN_HELPER_TASK ;; esac
  check "$name" timeout 50 ./program
  # with OMP_DYNAMIC=true libomp's hidden helper threads hang (ARCHITECTURE.md)
  [ "$name" != nowait.c ] ||
    check "$name, dynamic" env OMP_DYNAMIC=true LIBOMP_USE_HIDDEN_HELPER_TASK=0 timeout 50 ./program
  if [ "$ours" ]; then # functions that stock does not define
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
