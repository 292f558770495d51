#!/bin/sh
# Description: builds the examples with Clang and -L, and checks their answers. Argument: version of Clang.
. tests/dropin/lib.sh
v=$1
need "clang-$v"
for source in "$root"/examples/*.c "$root"/examples/*.cpp; do
  name=$(basename "${source%.*}")
  [ $name != by_hand ] || continue # tests/ways/by_hand.sh
  case $source in *.cpp) make=cxx ;; *) make=cc ;; esac
  $make $v -O2 "$source" -L"$lib" $(libomp $v) -lm -o "$name" || { fail "$name: build"; continue; }
  OMP_TARGET_OFFLOAD=mandatory ./"$name" >out 2>&1 || { fail "$name"; cat out; }
done
finish
