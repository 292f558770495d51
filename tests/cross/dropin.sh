#!/bin/sh
# Description: dynamic programs for another machine run with that machine's libomp: linked by Clang with libomptarget.a,
# by solo-cc, or with LLVM's libomptarget and run on libsolo.so.   dropin.sh HOST
. tests/cross/lib.sh
stock=build/sysroot/$host/usr/lib/llvm-19/lib
[ -e "$stock/libomp.so" ] || { echo "skipped: no libomp for $host (./configure.sh --bootstrap)"; exit 77; }
lib=build/lib/$host/glibc
triple=$machine-unknown-linux-gnu
options="-O2 -I. -isystem build/include tests/dropin/programs/main.c tests/dropin/programs/unit.c
  tests/dropin/programs/library.c"
clang="clang-19 --target=$triple -fopenmp -fopenmp-targets=$triple"
run() { # run NAME LIBRARY-PATH
  $qemu -E LD_LIBRARY_PATH="$2" -E OMP_TARGET_OFFLOAD=mandatory -E SOLO_HOST_THREADS=exact "$work/$1" >"$work/$1.out" 2>"$work/$1.err" ||
    bad "$1: status $?"
  diff "$work/wanted" "$work/$1.out" || bad "$1: wrong output"
}
$clang $options -L"$lib" -L"$stock" -o "$work/dropin" || bad "drop-in does not build"
build/bin/solo-cc --host="$host" $options -L"$stock" -o "$work/wrapped" || bad "solo-cc does not build"
$clang $options -L"$stock" -Wl,--unresolved-symbols=ignore-in-shared-libs -o "$work/unrelinked" ||
  bad "the stock form does not build"
"$host-readelf" -d "$work/unrelinked" | grep -q 'NEEDED.*libomptarget.so.19.1' || bad "not linked with stock"
grep -v '^c++' tests/dropin/programs/wanted >"$work/wanted"
run dropin "$stock"
run wrapped "$stock"
run unrelinked "$lib/shared-cpu:$stock"
# images are loaded in larger pages
in_pages dropin -E LD_LIBRARY_PATH="$stock" -E OMP_TARGET_OFFLOAD=mandatory -E SOLO_HOST_THREADS=exact "$work/dropin"
for size in $page_sizes; do
  grep -v '^OMP: ' "$work/dropin-$size.out" | diff "$work/wanted" - || bad "pages of $size bytes: wrong output"
done
finish
