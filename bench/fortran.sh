#!/bin/sh
# Compares static saxpy programs in Fortran and C: ns per region with 1000 and 10^6 elements, the best of five rounds.
#   sh bench/fortran.sh [THREADS]
cd "$(dirname "$0")/.." || exit 1
command -v "${SOLO_FLANG:-flang-22}" >/dev/null || { echo "skipped: no ${SOLO_FLANG:-flang-22} (package flang-22)"; exit 77; }
export OMP_NUM_THREADS="${1:-1}"
out=build/bench/fortran
mkdir -p $out
build/bin/solo-cc --static --glibc -O2 bench/saxpy.c -o $out/c || exit 1
build/bin/solo-fc -O2 bench/saxpy.f90 -o $out/fortran || exit 1
for round in 1 2 3 4 5; do
  for language in c fortran; do
    $out/$language >$out/$language.times || exit 1
    paste -sd' ' $out/$language.times | sed "s/^/$language /"
  done
done | awk -v threads="$OMP_NUM_THREADS" '
  { for (i = 2; i <= 3; i++) if (!($1 i in best) || $i < best[$1 i]) best[$1 i] = $i }
  END {
    for (i = 2; i <= 3; i++)
      printf "%s elements, %d threads: C %.0f ns, Fortran %.0f ns, ratio %.2f\n",
        i == 2 ? "1000" : "10^6", threads, best["c" i], best["fortran" i], best["fortran" i] / best["c" i]
  }'
