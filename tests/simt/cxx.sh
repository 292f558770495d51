#!/bin/sh
# Description: C++ in kernels: static objects of images and compressed images. Exceptions are
# rejected with the source line. A crash of the compiler is explained.
set -u
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
[ -f build/lib/simt/translate.sh ] || { echo "skipped: the virtual GPU was not configured"; exit 77; }
dir=build/simt/cxx
mkdir -p $dir
fail=0
expect() { # expect <text> <file>
  grep -q -e "$1" "$2" || { echo "failed: no \"$1\" in $2:"; tail -20 "$2"; fail=1; }
}
runs() { # runs <program>
  OMP_TARGET_OFFLOAD=mandatory timeout 60 "$1" >$dir/static.log 2>&1
  [ "$(tr '\n' ' ' <$dir/static.log)" = 'constructors 123 host 3 host 2 host 1 device 3 device 2 device 1 ' ] ||
    { echo "failed: order of static objects in $1:"; cat $dir/static.log; fail=1; }
}
for target in sm_90 gfx90a; do
  build/bin/solo-c++ --targets=simt-$target -O1 tests/simt/cxx/static.cpp -o $dir/static.$target >$dir/static.log 2>&1
  runs $dir/static.$target
  build/bin/solo-c++ --targets=simt-$target -O1 tests/simt/cxx/local.cpp -o $dir/local.$target >$dir/local.log 2>&1 &&
    OMP_TARGET_OFFLOAD=mandatory timeout 60 $dir/local.$target >$dir/local.log 2>&1
  [ "$(tr '\n' ' ' <$dir/local.log)" = 'sum 256 device 4 device 2 device 0 ' ] ||
    { echo "failed: static objects of functions on $target:"; cat $dir/local.log; fail=1; }
  build/bin/solo-c++ --targets=simt-$target -c tests/simt/cxx/exception.cpp -o $dir/exception.o >$dir/exception.log 2>&1 &&
    { echo "failed: an exception in a kernel is accepted for $target"; fail=1; }
  expect 'exception.cpp:7:.*error: .*does not support exception handling' $dir/exception.log
done
id=triple=nvptx64-nvidia-cuda,arch=sm_90,kind=openmp
sh tests/simt/build.sh sm_90 19 $dir/behind tests/simt/cxx/static.cpp &&
  build/bin/solo-pack create --format=ccob3 -o $dir/bundle "file=$dir/behind.image,$id" &&
  build/bin/solo-pack wrap -o $dir/compressed.o "file=$dir/bundle,$id" &&
  clang++-19 -o $dir/compressed $dir/behind.o $dir/compressed.o -Lbuild/lib/glibc -L/usr/lib/llvm-19/lib \
    -Wl,-rpath,/usr/lib/llvm-19/lib:"$PWD"/build/sim/cuda -Wl,--no-as-needed build/sim/cuda/libcuda.so.1 -lomptarget -lomp -lm -lzstd
runs $dir/compressed
build/bin/solo-c++ --targets=simt-sm_90 tests/simt/cxx/crash.cpp -o $dir/crash >$dir/crash.log 2>&1 &&
  { echo "failed: Clang 19 compiles crash.cpp; the note about it is obsolete"; fail=1; }
expect 'solo-c++: note: the compiler crashed' $dir/crash.log
expect 'hint: .*--clang=clang-22' $dir/crash.log
exit $fail
