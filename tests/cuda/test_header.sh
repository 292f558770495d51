#!/bin/sh
# Description: backends/cuda/cuda_api.h agrees with the vendor's cuda.h.
set -u
header=
for h in "${CUDA_HOME:-/usr/local/cuda}/include/cuda.h" /usr/include/cuda.h; do
  [ -f "$h" ] && header=$h && break
done
[ -n "$header" ] || { echo "skipped: no cuda.h on this machine"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
include=$(dirname "$header")
awk '/^#define SOLO_CUDA_(RESULTS|CONSTANTS|FUNCTIONS)/ {on = 1} on {print} on && !/\\$/ {on = 0}' \
  backends/cuda/cuda_api.h >"$dir/names.h"
# Declares the functions of cuda_api.h again, so that the compiler rejects a conflict. The sed below replaces types
# that cuda_api.h declares differently.
cat >"$dir/prototypes.h" <<'END'
#define XX(name, parameters) CUresult name parameters;
SOLO_CUDA_FUNCTIONS(XX)
#undef XX
END
gcc -std=c11 -I. -o "$dir/ours" tests/cuda/header_values.c || exit 1
"$dir/ours" >"$dir/ours.txt"
# int or unsigned for enum parameters: same calling convention, another C type
sed -e 's/void \*data, int attribute/void *data, CUpointer_attribute attribute/' \
  -e 's/int attribute, CUdevice/CUdevice_attribute attribute, CUdevice/' \
  -e 's/int attribute, CUfunction/CUfunction_attribute attribute, CUfunction/' \
  -e 's/CUfunction function, int attribute/CUfunction function, CUfunction_attribute attribute/' \
  -e 's/int limit/CUlimit limit/' -e 's/int \*options/CUjit_option *options/' \
  -e 's/uint64_t/CUdeviceptr/' "$dir/names.h" >"$dir/names2.h"
mv "$dir/names2.h" "$dir/names.h"
gcc -std=c11 -DVENDOR -I. -I"$dir" -I"$include" -o "$dir/theirs" tests/cuda/header_values.c || {
  echo "failed: the declarations of cuda_api.h conflict with those of cuda.h"
  exit 1
}
"$dir/theirs" >"$dir/theirs.txt"
diff "$dir/ours.txt" "$dir/theirs.txt" || exit 1
echo "$(wc -l <"$dir/ours.txt") values and $(grep -c 'XX(cu' "$dir/names.h") functions agree"
stub=$(ls "$include"/../lib*/stubs/libcuda.so "$include"/../lib/stubs/libcuda.so 2>/dev/null | head -n 1)
if [ -n "$stub" ]; then
  nm -D --defined-only "$stub" | awk '{print $3}' | sort >"$dir/has"
  grep -o 'XX(cu[A-Za-z0-9_]*' "$dir/names.h" | cut -c4- | sort >"$dir/wants"
  missing=$(comm -13 "$dir/has" "$dir/wants")
  [ -z "$missing" ] || { echo "failed: $stub does not define: $missing"; exit 1; }
fi
