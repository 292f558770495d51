#!/bin/sh
# Description: musl is built from source for a machine without Debian package; solo, examples and tests/kmpc work with it.
# musl.sh HOST
. tests/cross/lib.sh
sh ports/cross/musl.sh "$host" || { echo "skipped: no musl for $host"; exit 77; }
[ -f "build/$host/musl.ninja" ] || sh -c "$(ninja -t commands build.ninja | tail -n 1)"
lib=build/lib/$host/musl
ninja "$lib/libsolo.a" "$lib/libsolo_atomic.a" >"$work/ninja.out" 2>&1 || bad "$(tail -n 5 "$work/ninja.out")"
build/bin/solo-cc --host="$host" --static --musl examples/zaxpy.c -o "$work/none" 2>"$work/said" && bad "accepted without SOLO_MUSL"
grep -q 'set SOLO_MUSL to the prefix of a musl' "$work/said" || bad "wrong message: $(cat "$work/said")"
export SOLO_MUSL="$PWD/build/sysroot/$host/musl"
for source in examples/zaxpy.c examples/nbody.c examples/mapper.c; do
  name=$(basename "$source" .c)
  build/bin/solo-cc --host="$host" --static --musl -O2 "$source" -o "$work/$name" -lm 2>"$work/said" ||
    bad "$name does not build: $(cat "$work/said")"
  file "$work/$name" | grep -q 'statically linked' || bad "$name: $(file "$work/$name")"
  check "$name" timeout 60 $qemu -E OMP_NUM_THREADS=2 "$work/$name"
  grep -q ': right$' "$work/$name.out" || bad "$name: wrong result: $(cat "$work/$name.out")"
done
sh tests/cross/kmpc.sh "$host" musl || bad kmpc
finish
