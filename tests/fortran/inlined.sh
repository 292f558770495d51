#!/bin/sh
# Description: flang inlines each loop of inlined.f90.
set -eu
cd "$(dirname "$0")/../.."
. tests/fortran/lib.sh
exe=$out/inlined.static.O2
compile static "$exe" -O2 tests/fortran/inlined.f90
OMP_TARGET_OFFLOAD=mandatory "$exe"
nm "$exe" >"$exe.names"
! grep static_loop "$exe.names" || { echo "failed: a loop is not inlined"; exit 1; }
grep -q __tgt_target_kernel "$exe.names" || { echo "failed: no target region in the program"; exit 1; }
