#!/bin/sh
# Description: the loader's images (tests/loader), made for another machine by the same commands, and what
# they may contain, under qemu-user: relocations, all TLS models with descriptors, indirect functions,
# versions, C++ exceptions through their frames.   loader.sh HOST
. tests/cross/lib.sh
ninja -t commands loader_images | grep -v '^mkdir -p build/tests/loader;' |
  sed "s|build/tests/loader/|$work/loader/|g
    s|clang++-19|clang++-19 --target=$host|
    s|clang-19|clang-19 --target=$host|
    s| gcc | $host-gcc |
    s| -mtls-dialect=gnu2||" >"$work/images.sh"
sh -e "$work/images.sh" >"$work/images.out" 2>&1 || { bad "images"; tail -n 5 "$work/images.out"; }
link() { # link TEST OBJECT...
  made=$1
  shift
  "$host-g++" -pthread "$@" "build/$host/check/libsolo_test.a" -Wl,--no-as-needed "$work/loader/libthing.so" \
    -Wl,-rpath,"$PWD/$work/loader" -lpthread -lm -o "$work/$made" || bad "$made does not link"
}
objects=build/$host/check/tests/loader
link test_features "$objects/test_features.o"
link test_throw "$objects/test_throw.o" "$objects/shim.o"
for linker in bfd lld; do
  check "features-$linker" timeout 100 $qemu "$work/test_features" "$work/loader/$linker"
  check "throw-$linker" timeout 100 $qemu "$work/test_throw" "$work/loader/$linker"
  in_pages "features-$linker" "$work/test_features" "$work/loader/$linker"
done
finish
