#!/bin/sh
# Description: default libraries do not contain the remote backend, and at most 1 KiB of their code supports the backend. The
# library with the backend adds limited bytes and instructions per launch.
set -u
fail=0
bad() { echo "failed: $*"; fail=1; }
for library in build/lib/musl/libsolo.a build/lib/musl/libsolo_linked.a build/lib/musl/libomptarget.a \
  build/lib/glibc/libsolo.a build/lib/glibc/libomptarget.a build/lib/glibc/shared/libsolo.so; do
  [ -f "$library" ] || continue
  found=$(strings -a "$library" | grep -c -e solo_remote -e SOLO_SERVER -e solo-server)
  [ "$found" = 0 ] || bad "$library contains $found strings of the remote backend"
done
strings -a build/lib/musl-remote/libsolo.a | grep -q SOLO_SERVER || bad "musl-remote/libsolo.a does not contain SOLO_SERVER"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
if [ -f build/lib/musl/libsolo_linked.a ]; then
  build/bin/solo-cc --static -O2 examples/zaxpy.c -o "$dir/zaxpy" -lm || bad "cannot build zaxpy"
  nm -S "$dir/zaxpy" >"$dir/symbols"
  grep -q ' solo_launch$' "$dir/symbols" || bad "zaxpy has no symbols"
  bytes=0
  for size in $(sed -n 's/^[0-9a-f]* \([0-9a-f]*\) . .*\(remote\|device_work\|observe_work\|collect\).*/\1/p' "$dir/symbols"); do
    bytes=$((bytes + 0x$size))
  done
  [ $bytes -le 1024 ] || bad "static zaxpy has $bytes bytes for remote devices, more than 1024"
  echo "static zaxpy has $bytes bytes for remote devices"
fi

cat >"$dir/region.c" <<'END'
#include <stdlib.h>
int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 1;
  int x[128] = {0};
#pragma omp target data map(tofrom : x)
  for (long i = 0; i < n; i++) {
#pragma omp target map(tofrom : x)
    x[0]++;
  }
  return x[0] != n;
}
END
count() { # count PROGRAM REGIONS: instructions
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$1" "$2" 2>&1 | sed -n 's/^.*Collected : //p'
}
if [ -f build/lib/musl-remote/libsolo_linked.a ] && [ -f build/lib/musl/libsolo_linked.a ]; then
  for way in without with; do
    option=
    [ $way = without ] || option=--remote
    build/bin/solo-cc --static $option -O2 "$dir/region.c" -o "$dir/$way" || bad "cannot build the program $way the backend"
    strip -o "$dir/$way.s" "$dir/$way"
  done
  more=$(($(stat -c %s "$dir/with.s") - $(stat -c %s "$dir/without.s")))
  [ $more -le $((256 << 10)) ] || bad "the library with the backend adds $more bytes, more than 256 KiB"
  nm "$dir/without" | grep -q solo_remote && bad "the program without the backend has its symbols"
  nm "$dir/with" | grep -q solo_remote || bad "the program with the backend does not have its symbols"
  echo "the library with the backend adds $more bytes"
  if command -v valgrind >/dev/null; then
    for way in without with; do
      few=$(count "$dir/$way" 1000) many=$(count "$dir/$way" 2000)
      [ -n "$few" ] && [ -n "$many" ] || { bad "valgrind counted no instructions"; few=0 many=0; }
      eval "$way=$(((many - few) / 1000))"
    done
    echo "$without instructions per region, $with with the backend"
    [ "$with" -le $((without + 24)) ] && [ "$without" -le "$with" ] ||
      bad "$with instead of $without instructions per region: not 0 to 24 more"
  fi
fi
[ $fail = 0 ] && echo "libraries without the remote backend contain none of it"
exit $fail
