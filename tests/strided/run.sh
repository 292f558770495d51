#!/bin/sh
# Description: compares target updates of random array sections with a model. With -g, each update is correct or
# rejected with the variable's name.
#   tests/strided/run.sh CLANG SHAPES SEED...
cd "$(dirname "$0")/../.." || exit 1
clang=$1 shapes=$2
shift 2
command -v "$clang" >/dev/null || { echo "skipped: no $clang"; exit 77; }
dir=build/tests/strided/$clang
mkdir -p "$dir"
failed=0
passes=NAMED
[ "$clang" = clang-22 ] && passes=ALWAYS
for seed; do
  python3 tests/strided/generate.py "$seed" "$shapes" >"$dir/$seed.c" || exit 1
  for names in -g -g0; do
    SOLO_CLANG=$clang build/bin/solo-cc --static -O1 $names -fopenmp-version=52 -w -DCOMPILER_PASSES_STEPS=$passes \
      -Itests/strided "$dir/$seed.c" -o "$dir/$seed" || exit 1
    [ $names = -g ] && set -- || set -- no-names
    "$dir/$seed" "$@" >"$dir/$seed.out" 2>"$dir/$seed.err" || { echo "seed $seed $names failed"; failed=1; }
    sed "s/^/seed $seed $names: /" "$dir/$seed.out"
  done
  rm -f "$dir/$seed"
done
exit $failed
