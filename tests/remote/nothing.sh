#!/bin/sh
# Description: a program that uses no remote device pays nothing: the libraries that it is linked with hold
# nothing of backends/remote, and in the smallest example what other files have for it (who collects the work that a
# server's devices did, for a profile) is below a KiB. (Instructions per launch: bench/count.)
set -u
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
  build/bin/solo-cc --static -O2 examples/zaxpy.c -o "$dir/zaxpy" -lm || bad "no zaxpy"
  nm -S "$dir/zaxpy" >"$dir/symbols"
  grep -q ' solo_launch$' "$dir/symbols" || bad "no symbols in zaxpy"
  bytes=0
  for size in $(sed -n 's/^[0-9a-f]* \([0-9a-f]*\) . .*\(remote\|device_work\|observe_work\|collect\).*/\1/p' "$dir/symbols"); do
    bytes=$((bytes + 0x$size))
  done
  [ $bytes -le 1024 ] || bad "$bytes bytes of static zaxpy are for remote devices"
  echo "$bytes bytes of static zaxpy"
fi
[ $fail = 0 ] && echo "libraries without remote devices have nothing of them"
exit $fail
