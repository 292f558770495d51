#!/bin/sh
# Description: kernarg segments of all examples agree with llvm-readelf's layout: clang-19 for gfx900, gfx906, gfx90a
# and gfx1030, code object version 4, and version 6 by clang-22.
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
