#!/bin/sh
# Description: libsolo.a (static), or libomptarget.a and libomp (dynamic), define each name in flang's device code. Prints
# the names for abi/kmpc/fortran/device.h.
#   symbols.sh [LEVEL...]
set -eu
cd "$(dirname "$0")/../.."
. tests/fortran/lib.sh
wrong=0
to=$out/symbols$(echo "$*" | tr -d ' ') # test and soak may run concurrently
modules=$to.modules
mkdir -p $modules
: >$to.used
for source in tests/fortran/*.f90; do
  case $source in */units.f90 | */unit_b.f90 | */errors_call.f90) continue ;; esac # need modules of other files
  flags=$(sed -n 's/^! Flags: *//p' "$source")
  for level in ${*:-O0 O1 O2}; do
    "$flang" -fopenmp -fopenmp-targets="$(uname -m)-pc-linux-gnu" --offload-device-only -c -$level \
      $flags -J $modules -o $to.o "$source" 2>$to.log || { cat $to.log; exit 1; }
    nm -u $to.o | awk '{ print $2 }' >>$to.used
  done
done
sort -u $to.used | grep -E '^(__kmpc_|omp_|__tgt_|llvm_omp_)' >$to.names
defined() { nm --defined-only "$@" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u; }
defined build/lib/glibc/libsolo.a >$to.static
{
  defined build/lib/glibc/libomptarget.a
  [ -z "$libomp" ] || nm -D --defined-only "$libomp/libomp.so" | awk '{ sub(/@.*/, "", $3); print $3 }'
} | sort -u >$to.dynamic
for form in static dynamic; do
  missing=$(comm -23 $to.names $to.$form)
  [ -z "$missing" ] && continue
  echo "failed: $form: undefined:" $missing
  wrong=1
done
grep -q __kmpc_target_init $to.names || { echo "failed: no device code found"; wrong=1; }
# solo-fc -O2 inlines the loops
build/bin/solo-fc -O2 --offload-device-only -c -J $modules -o $to.o tests/fortran/saxpy.f90
! nm -u $to.o | grep static_loop || { echo "failed: solo-fc -O2: loops are not inlined"; wrong=1; }
echo "names that device code uses:" $(cat $to.names)
exit $wrong
