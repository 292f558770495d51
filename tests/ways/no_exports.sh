#!/bin/sh
# Links no_exports.c with each linker and hash style for the test: no_exports.sh PROGRAM
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
source=tests/ways/no_exports.c
images=
for style in gnu sysv both; do
  gcc -O2 -shared -fPIC -fvisibility=hidden -Wl,--hash-style=$style $source -o "$dir/bfd-$style.so" || exit 1
  gcc -O2 -shared -fPIC -fvisibility=hidden -Wl,--hash-style=$style -Wl,-z,now $source -o "$dir/now-$style.so" || exit 1
  clang-19 -O2 -shared -fPIC -fvisibility=hidden -fuse-ld=lld -Wl,--hash-style=$style $source -o "$dir/lld-$style.so" ||
    exit 1
  strip -o "$dir/stripped-$style.so" "$dir/bfd-$style.so"
  images="$images $dir/bfd-$style.so $dir/now-$style.so $dir/lld-$style.so $dir/stripped-$style.so"
done
objcopy --strip-section-headers "$dir/bfd-gnu.so" "$dir/bare.so" 2>/dev/null && images="$images $dir/bare.so"
# shellcheck disable=SC2086
"$1" $images
