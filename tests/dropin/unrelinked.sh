#!/bin/sh
# Description: runs executables that were linked with LLVM's libomptarget with libsolo.so instead, and compares the
# outputs. LLVM's offload libraries must not be loaded. Argument: 19 or 22.
. tests/dropin/lib.sh
v=$1
need "clang-$v"
link=$stock soname=libomptarget.so.19.1
[ -e "$stock/libomptarget.so" ] || skip "no stock libomptarget 19 to link with"
if [ "$v" = 22 ]; then
  soname=libomptarget.so.22.1
  if [ -e /usr/lib/llvm-22/lib/libomptarget.so ]; then
    link=/usr/lib/llvm-22/lib
  else # link with a stub
    mkdir -p link
    link=$work/link
    gcc -shared -o link/libomptarget.so "$root/build/glibc/solo_core.o" \
      -Wl,-soname,$soname -Wl,--version-script="$root/abi/libsolo.map" || exit 1
  fi
fi
for opt in -O0 -O2; do
  cxx $v $opt -I"$programs" -DWITH_CXX -x c++ "$programs/cxx.cc" -x c "$programs/main.c" \
    "$programs/unit.c" "$programs/library.c" -x none -L"$link" -L"$stock" -o program || fail "build $opt"
  readelf -d program | grep -q "NEEDED.*$soname" || fail "$opt: not linked with $soname"
  wanted=$programs/wanted
  if [ "$v" = 19 ]; then # omp_get_device_num() in a region differs
    LD_LIBRARY_PATH=$stock ./program >stock_answers && grep -v ^inside "$wanted" >sane &&
      grep -v ^inside stock_answers | cmp - sane ||
      fail "$opt: stock prints other answers"
  fi
  expect "clang-$v $opt on libsolo.so without drivers" "$programs/wanted" \
    env LD_LIBRARY_PATH="$lib/shared-cpu" ./program maps
  expect "clang-$v $opt on libsolo.so" "$wanted" env LD_LIBRARY_PATH="$shared" ./program maps
done
finish
