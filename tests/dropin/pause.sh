#!/bin/sh
# Description: checks omp_pause_resource together with libomp: with libomptarget.a, with libomptarget.so, and in a program
# that was linked with stock and runs with solo (LD_LIBRARY_PATH). Compares the outputs with stock.
. tests/dropin/lib.sh
for v in 19 22; do
  command -v clang-$v >/dev/null || continue
  for linker in bfd lld; do
    cc $v -O1 -fuse-ld=$linker "$programs/pause.c" -L"$stock" -o stock || { fail "build $v stock"; continue; }
    [ $v = 22 ] || LD_LIBRARY_PATH="$stock" ./stock >wanted || fail "stock"
    for dir in "$lib" "$shared"; do
      cc $v -O1 -fuse-ld=$linker "$programs/pause.c" -L"$dir" $(libomp $v) -o program ||
        { fail "build $v $dir"; continue; }
      expect "clang-$v $linker $dir" wanted env LD_LIBRARY_PATH="$shared" ./program
    done
    expect "clang-$v $linker, linked with stock" wanted env LD_LIBRARY_PATH="$shared" ./stock
  done
done
cat wanted
finish
