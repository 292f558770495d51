#!/bin/sh
# Description: argument segments of the kernels of every example, made by clang-19 for gfx900,
# gfx906, gfx90a and gfx1030 at -O2 (one with code object version 4), and of version 6 by clang-22 for
# these and generic processors, against llvm-readelf's layout.
#   kernarg.sh PROGRAM FOLDER
set -u
[ -e "$2/absent" ] && { echo "skipped: $(cat "$2/absent")"; exit 77; }
failed=0 checked=0
for object in "$2"/*.co; do
  echo "== $object"
  llvm-readelf-19 --notes "$object" | awk -f tests/hsa/layout.awk |
    "$1" "$2" "$(basename "$object")" || failed=$((failed + 1))
  checked=$((checked + 1))
done
echo "$checked code objects, $failed failed"
least=21
clang-22 --version >/dev/null 2>&1 && least=25
[ $failed -eq 0 ] && [ $checked -ge $least ]
