#!/bin/sh
# Description: checks that libsolo.so and abi/exports.h contain each function that LLVM's libomptarget 19.1 and 22.1
# export, with the same version.
. tests/dropin/lib.sh
cd "$root" || exit 1
# functions of solo.h
for f in $(sed -n 's/^[a-z][a-z_ *]*\(solo_[a-z_]*\)(.*/\1/p' abi/include/solo.h | grep -v callback$; echo solo_set_error_callback); do
  nm -D --defined-only $shared/libsolo.so | grep -q " $f@@SOLO_1$" || fail "solo.h's $f is not exported"
  grep -q "XX($f)" abi/exports.h || fail "solo.h's $f is not in abi/exports.h"
done
names() { nm -D --defined-only "$1" | awk '{print $3}' | grep '@@VERS1.0$' | sed 's/@.*//' | LC_ALL=C sort; }
names $shared/libsolo.so >"$work/ours"
sed -n 's/^ *XX(\([a-zA-Z0-9_]*\)).*/\1/p' abi/exports.h >"$work/table"
LC_ALL=C sort -c "$work/table" || fail "abi/exports.h is not sorted"
missing=$(grep -v ^solo_ "$work/table" | LC_ALL=C comm -23 - "$work/ours")
[ -z "$missing" ] || fail "not exported:" $missing
grep -v '^#' tests/dropin/stock.names | cut -d' ' -f1 | LC_ALL=C sort >"$work/listed"
missing=$(LC_ALL=C comm -23 "$work/listed" "$work/ours")
[ -z "$missing" ] || fail "exported by stock, but not by libsolo.so:" $missing
compared=$(wc -l <"$work/listed")
for l in $stock/libomptarget.so.19.1 /usr/lib/llvm-22/lib/libomptarget.so.22.1 build/offload-peer/usr/lib/llvm-22/lib/libomptarget.so.22.1; do
  [ -e $l ] || continue
  names $l | grep -v '^_Z' >"$work/stock"
  missing=$(LC_ALL=C comm -23 "$work/stock" "$work/table")
  [ -z "$missing" ] || fail "not in abi/exports.h but in $l:" $missing
  compared=$((compared + $(wc -l <"$work/stock")))
done
echo "$(wc -l <"$work/table") names, $compared of stock compared"
# abi/join.c overwrites the first 16 bytes of a function
nm -D --defined-only $shared/libsolo.so | awk '$2 == "T" && $1 !~ /0$/' | grep . &&
  fail "not aligned to 16 bytes"
extra=$(nm -D --defined-only $shared/libsolo.so | awk '{print $3}' | grep -v '@@')
[ -z "$(echo "$extra" | grep -v -e '^$' -e '^SOLO_1$' -e '^VERS1.0$')" ] || fail "exported without a version:" $extra
finish
