#!/bin/sh
# Builds one Fortran program of this folder with solo-fc and runs it with 1, 2, 4 and 16 threads, its
# regions on the device or nowhere.   check.sh PROGRAM OPTION [REPETITIONS]
set -eu
cd "$(dirname "$0")/../.."
program=$1 level=$2 repetitions=${3:-3}
flang=${SOLO_FLANG:-flang-22}
command -v "$flang" >/dev/null || { echo "skipped: no $flang"; exit 77; }
[ -f build/lib/glibc/libsolo.a ] || { echo "skipped: no build for glibc"; exit 77; }
out=build/tests/fortran
mkdir -p $out
build/bin/solo-fc "-$level" -o "$out/$program.$level" "tests/fortran/$program.f90"
file=$(LC_ALL=C file -bL "$out/$program.$level" 2>/dev/null || true)
case $file in *dynamically*) echo "failed: not static: $file"; exit 1 ;; esac
for threads in 1 2 4 16; do
  i=0
  while [ $i -lt "$repetitions" ]; do
    i=$((i + 1))
    text=$(OMP_TARGET_OFFLOAD=mandatory OMP_NUM_THREADS=$threads "$out/$program.$level" 2>&1) ||
      { echo "failed: $program -$level, $threads threads, repetition $i: status $?: $text"; exit 1; }
    [ -z "$text" ] || { echo "failed: $program -$level prints: $text"; exit 1; }
  done
done
