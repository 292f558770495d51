#!/bin/sh
# Description: checks device code that calls omp_target_ functions. The image links the functions from the archive, and
# the program's runtime executes them. Argument: linker.
. tests/dropin/lib.sh
echo "mapped 1 absent 0 pointer 1 copied 5" >wanted
for v in 19 22; do
  command -v clang-$v >/dev/null || continue
  for dir in "$lib" "$shared"; do
    cc $v -O1 -fuse-ld=$1 "$programs/pulled.c" -L"$dir" $(libomp $v) -o program ||
      { fail "build $v"; continue; }
    expect "clang-$v $dir" wanted env LD_LIBRARY_PATH="$shared" ./program
  done
done
finish
