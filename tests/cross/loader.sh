#!/bin/sh
# Description: the loader's images (tests/loader) work for another machine under qemu-user: relocations, TLS models, indirect
# functions, versions, C++ exceptions.   loader.sh HOST
. tests/cross/lib.sh
images=$work/loader
loader_images "$images"
objects=build/$host/check/tests/loader
loader_test test_features "$images" "$objects/test_features.o"
loader_test test_throw "$images" "$objects/test_throw.o" "$objects/shim.o"
for linker in bfd lld; do
  check "features-$linker" timeout 100 $qemu "$work/test_features" "$images/$linker"
  check "throw-$linker" timeout 100 $qemu "$work/test_throw" "$images/$linker"
  in_pages "features-$linker" "$work/test_features" "$images/$linker"
done
finish
