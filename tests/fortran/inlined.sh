#!/bin/sh
# Description: no loop of a file with several is left as a call for each iteration.
set -eu
cd "$(dirname "$0")/../.."
. tests/fortran/lib.sh
exe=$out/inlined.static.O2
compile static "$exe" -O2 tests/fortran/inlined.f90
OMP_TARGET_OFFLOAD=mandatory "$exe"
nm "$exe" >"$exe.names"
! grep static_loop "$exe.names" || { echo "failed: a loop is a call"; exit 1; }
grep -q __tgt_target_kernel "$exe.names" || { echo "failed: no names to look at"; exit 1; }
