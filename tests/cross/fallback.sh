#!/bin/sh
# Description: OpenMP programs for a machine that no compiler takes as an OpenMP target: solo-cc says so
# in one sentence, target regions run on the host with the right answers; what it cannot make it refuses.
# fallback.sh HOST
. tests/cross/lib.sh
for source in examples/zaxpy.c examples/nbody.c examples/mapper.c; do
  name=$(basename "$source" .c)
  build/bin/solo-cc --host="$host" --static -O2 "$source" -o "$work/$name" -lm 2>"$work/said" ||
    bad "$name does not build"
  grep -q "target regions will run on the host: neither Clang 19 nor 22 takes $machine" "$work/said" ||
    bad "solo-cc does not say why: $(cat "$work/said")"
  [ "$(wc -l <"$work/said")" -eq 1 ] || bad "not one sentence: $(cat "$work/said")"
  check "$name" timeout 60 $qemu -E OMP_NUM_THREADS=2 "$work/$name"
  grep -q ': right$' "$work/$name.out" || bad "$name: no right answer: $(cat "$work/$name.out")"
done
build/bin/solo-cc --host="$host" examples/zaxpy.c -o "$work/none" 2>"$work/said" && bad "a dynamic program"
grep -q 'there is only --static --glibc' "$work/said" || bad "said: $(cat "$work/said")"
finish
