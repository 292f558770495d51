#!/bin/sh
# Description: for a machine without OpenMP target support in compilers, solo-cc prints one warning, and target regions run
# correctly on the host. Unsupported programs are rejected.   fallback.sh HOST
. tests/cross/lib.sh
for source in examples/zaxpy.c examples/nbody.c examples/mapper.c; do
  name=$(basename "$source" .c)
  build/bin/solo-cc --host="$host" --static -O2 "$source" -o "$work/$name" -lm 2>"$work/said" ||
    bad "$name does not build"
  grep -q "target regions run on the host: Clang 19 and 22 have no OpenMP target for $machine" "$work/said" ||
    bad "no reason in the warning: $(cat "$work/said")"
  [ "$(wc -l <"$work/said")" -eq 1 ] || bad "not one line: $(cat "$work/said")"
  check "$name" timeout 60 $qemu -E OMP_NUM_THREADS=2 "$work/$name"
  grep -q ': right$' "$work/$name.out" || bad "$name: wrong result: $(cat "$work/$name.out")"
done
build/bin/solo-cc --host="$host" examples/zaxpy.c -o "$work/none" 2>"$work/said" && bad "a dynamic program is accepted"
grep -q 'is supported only with --static --glibc' "$work/said" || bad "wrong message: $(cat "$work/said")"
finish
