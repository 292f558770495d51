#!/bin/sh
# Runs a program with several numbers of threads.   check.sh PROGRAM FORM-LEVEL [REPETITIONS]
# FORM: lib.sh; LEVEL: O0 ... The program has options in a "Flags:" line and further files in "With:" lines.
set -eu
cd "$(dirname "$0")/../.."
. tests/fortran/lib.sh
program=$1 form=${2%-*} level=${2#*-} repetitions=${3:-1}
source=tests/fortran/$program.f90
exe=$out/$program.$form.$level
modules=$exe.modules
mkdir -p "$modules"
flags=$(sed -n 's/^! Flags: *//p' "$source")
objects=
for unit in $(sed -n 's/^! With: *//p' "$source"); do
  compile "$form" "$exe.$unit.o" "-$level" $flags -c "tests/fortran/$unit"
  objects="$objects $exe.$unit.o"
done
if [ -n "$objects" ]; then
  compile "$form" "$exe.o" "-$level" $flags -c "$source"
  compile "$form" "$exe" "-$level" $flags "$exe.o" $objects
else
  compile "$form" "$exe" "-$level" $flags "$source"
fi
check_form "$form" "$exe"
# Some regions need more threads than OMP_NUM_THREADS.
exact=
[ "$form" != static ] || exact=SOLO_HOST_THREADS=exact
for threads in 1 2 4 16; do
  i=0
  while [ $i -lt "$repetitions" ]; do
    i=$((i + 1))
    text=$(env OMP_TARGET_OFFLOAD=mandatory $exact OMP_NUM_THREADS=$threads "$exe" 2>&1) ||
      { echo "failed: $program $form -$level, $threads threads, repetition $i: status $?: $text"; exit 1; }
    [ -z "$text" ] || { echo "failed: $program $form -$level prints: $text"; exit 1; }
  done
done
