#!/bin/sh
# Description: solo-cc builds for processors that Debian's AMD device libraries do not support.
set -u
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
[ -d build/lib/device/rocm ] || { echo "skipped: no device libraries of AMD"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat >"$dir/a.c" <<'END'
#include <math.h>
int main(void) {
  double x = 2;
#pragma omp target map(tofrom : x)
  x = sqrt(x) + sin(x);
  return x < 0;
}
END
fail=0
for target in gfx90a gfx942 gfx1100 gfx1103; do
  build/bin/solo-cc --targets=$target -O2 "$dir/a.c" -o "$dir/a" -lm >"$dir/log" 2>&1 ||
    { echo "failed: $target"; cat "$dir/log"; fail=1; }
done
exit $fail
