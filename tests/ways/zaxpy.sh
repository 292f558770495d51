#!/bin/sh
# Description: the example of design document 000 (seeds.list) works with Clang 19 and 22: static and drop-in (cpu), on a
# virtual GPU (TARGET [VERSION]).
name=ways_zaxpy_$1_${2:-19}
. tests/tools/lib.sh
here=$tree/..
source=$here/tests/ways/programs/zaxpy.cpp
case $1 in
cpu)
  for v in 19 22; do
    works $cxx --static --clang=clang++-$v -O3 "$source" -o static-$v && says right env OMP_TARGET_OFFLOAD=mandatory ./static-$v
    works clang++-$v -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -O3 "$source" -o dropin-$v -L"$tree/lib/glibc" \
      -L/usr/lib/llvm-19/lib -Wl,-rpath,/usr/lib/llvm-19/lib &&
      says right env OMP_TARGET_OFFLOAD=mandatory ./dropin-$v
  done
  ;;
*)
  if ! sh "$here/tests/simt/build.sh" "$1" "${2:-19}" "$work/program" "$source" -O3 -lstdc++ >log 2>&1 &&
    grep -q 'undefined reference' log; then
    echo "skipped: the virtual GPU lacks functions for complex numbers"
    exit 77
  fi
  works test -x program && says right sh "$here/tests/simt/run.sh" "$1" ./program
  ;;
esac
done_testing
