#!/bin/sh
# Description: a program that uses no remote device pays nothing: the libraries that it is linked with hold
# nothing of backends/remote, and the smallest example is as large as before there was any.
# (Instructions per launch: bench/count.)
set -u
before=163432 # bytes of static zaxpy, stripped, without the one word (a function that profiles call) that device servers add
fail=0
bad() { echo "failed: $*"; fail=1; }
for library in build/lib/musl/libsolo.a build/lib/musl/libsolo_linked.a build/lib/musl/libomptarget.a \
  build/lib/glibc/libsolo.a build/lib/glibc/libomptarget.a build/lib/glibc/shared/libsolo.so; do
  [ -f "$library" ] || continue
  found=$(strings -a "$library" | grep -c -e solo_remote -e SOLO_SERVER -e solo-server)
  [ "$found" = 0 ] || bad "$library has $found words of device servers"
done
strings -a build/lib/musl-remote/libsolo.a | grep -q SOLO_SERVER || bad "the words are not found where they are"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
if [ -f build/lib/musl/libsolo_linked.a ]; then
  build/bin/solo-cc --static -O2 examples/zaxpy.c -o "$dir/zaxpy" -lm && strip "$dir/zaxpy" || bad "no zaxpy"
  size=$(wc -c <"$dir/zaxpy")
  [ "$size" -le $((before + 1024)) ] || bad "static zaxpy has $size bytes, $before before"
fi
[ $fail = 0 ] && echo "libraries without remote devices have nothing of them"
exit $fail
