#!/bin/sh
# Description: checks omp interop objects with Clang 19 and 22.
. tests/dropin/lib.sh
echo "interop correct" >wanted
for v in 19 22; do
  command -v clang-$v >/dev/null || continue
  cc $v -O1 "$programs/interop.c" -L"$lib" $(libomp $v) -o program || { fail "build $v"; continue; }
  expect "clang-$v" wanted ./program
done
finish
