#!/bin/sh
# Description: compares the interface of libsolo.so (libabigail) and the names of the static libraries with the last release.
#   abi.sh --update   records the present interface as that of a release
set -u
cd "$(dirname "$0")/../.." || exit 1
base=ports/packages/abi
core=build/glibc/solo_core.o
work=$PWD/build/tests/package-abi
machine=$(uname -m)
for tool in abidw abidiff; do
  command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
[ "$machine" = x86_64 ] || { echo "skipped: $base has the interface for x86_64"; exit 77; }
[ -f $core ] || { echo "skipped: no $core"; exit 77; }
rm -rf "$work"
mkdir -p "$work"

# The library with debug information, from which libabigail reads the types. The published library has none.
library() { # library VERSION-SCRIPT
  gcc -shared -o "$work/libsolo.so.1" -Wl,--version-script="$1" -Wl,-soname,libsolo.so.1 -Wl,--gc-sections \
    $core -Wl,--unresolved-symbols=ignore-all || exit 1
}
describe() { # describe OUT: public types and functions
  abidw --exported-interfaces-only --headers-dir abi/include --drop-private-types --no-corpus-path \
    --no-comp-dir-path --no-show-locs --no-elf-needed "$work/libsolo.so.1" >"$1" || exit 1
}
names() { # names OUT: names of the static libraries that compilers and programs use
  for libc in glibc musl; do
    nm -g --defined-only build/lib/$libc/libsolo.a 2>/dev/null | awk 'NF == 3 {print $3}' |
      grep -E '^(__tgt_|__kmpc_|kmpc_|kmp_|omp_|ompx_|llvm_omp_|__llvm|ompt_|ompc_|GOMP_)' | sort -u | sed "s|^|$libc |"
    grep -oE '\bsolo_[a-z0-9_]+\(' abi/include/solo.h | tr -d '(' | sort -u >"$work/public"
    nm -g --defined-only build/lib/$libc/libsolo.a 2>/dev/null | awk 'NF == 3 {print $3}' | sort -u |
      grep -xFf "$work/public" | sed "s|^|$libc |"
  done >"$1"
}
library abi/libsolo.map
describe "$work/now.abi"
names "$work/now.names"
if [ "${1:-}" = --update ]; then
  cp "$work/now.abi" $base/libsolo.so.1.abi
  cp "$work/now.names" $base/static.names
  exit 0
fi
fail=0
abidiff --no-added-syms $base/libsolo.so.1.abi "$work/now.abi" >"$work/diff" 2>&1 || {
  echo "the interface of libsolo.so.1 changed since the last release (docs/stability.md):"
  head -n 30 "$work/diff"
  fail=1
}
sort $base/static.names >"$work/released"
gone=$(sort "$work/now.names" | comm -23 "$work/released" -)
[ -z "$gone" ] || { echo "the static libraries lost names of the last release:" $gone; fail=1; }
[ "$(wc -l <"$work/released")" -gt 500 ] || { echo "$base/static.names is incomplete"; fail=1; }

# A library without one public function must be reported.
sed 's/^    solo_mapped_part;/&\n    solo_last_error;/' abi/libsolo.map >"$work/less.map"
library "$work/less.map"
describe "$work/less.abi"
abidiff --no-added-syms $base/libsolo.so.1.abi "$work/less.abi" >"$work/less" 2>&1 &&
  { echo "abidiff does not report that solo_last_error is missing"; fail=1; }
grep -q solo_last_error "$work/less" || { echo "abidiff failed for another reason:"; head -n 5 "$work/less"; fail=1; }
exit $fail
