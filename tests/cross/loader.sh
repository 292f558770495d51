#!/bin/sh
# Description: the loader's images (tests/loader), made for another machine by the same commands, and what
# they may contain, under qemu-user: relocations, all TLS models with descriptors, indirect functions,
# versions, unwinding left out.   loader.sh HOST
. tests/cross/lib.sh
ninja -t commands loader_images | grep -v '^mkdir -p build/tests/loader;' |
  sed "s|build/tests/loader/|$work/loader/|g
    s|clang++-19|clang++-19 --target=$host|
    s|clang-19|clang-19 --target=$host|
    s| gcc | $host-gcc |
    s| -mtls-dialect=gnu2||" >"$work/images.sh"
sh -e "$work/images.sh" >"$work/images.out" 2>&1 || { bad "images"; tail -n 5 "$work/images.out"; }
"$host-gcc" -pthread "build/$host/check/tests/loader/test_features.o" "build/$host/check/libsolo_test.a" \
  -Wl,--no-as-needed "$work/loader/libthing.so" -lstdc++ -Wl,-rpath,"$PWD/$work/loader" -lpthread -lm \
  -o "$work/test_features" || bad "test_features does not link"
for linker in bfd lld; do
  check "features-$linker" timeout 100 $qemu "$work/test_features" "$work/loader/$linker"
  in_pages "features-$linker" "$work/test_features" "$work/loader/$linker"
done
finish
