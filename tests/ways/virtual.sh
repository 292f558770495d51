#!/bin/sh
# Description: programs of gcc with GPU code in a file run on the virtual GPU: REX's form, and solo.h (seeds.list).
#   virtual.sh sm_90|gfx90a
target=$1 name=ways_virtual_$1
. tests/tools/lib.sh
. "$tree/../tests/ways/kernel_language.sh"
case $target in
sm_90) language=cuda library=$tree/sim/cuda/libcuda.so.1 ;;
*) language=hip library=$tree/sim/hsa/libhsa-runtime64.so.1 ;;
esac
works device_code $language 19 "$target" "$here/tests/ways/programs/kernels.cpp" code.bc
works virtual_image 19 "$target" code.bc code.image
link() { # link SOURCE OUT FLAGS...
  source=$1 out=$2
  shift 2
  works gcc -O2 -isystem "$tree/include" "$source" -o "$out" -L"$tree/lib/glibc" "$@" "$tree/lib/glibc/libsolo.a" \
    -Wl,--no-as-needed "$library" "-Wl,-rpath,$(dirname "$library")" -lpthread -lm
}
link "$here/tests/ways/programs/rex_axpy.c" rex '-DSECOND_KERNEL="OUT__2__main__9__kernel__"' -lsolo_rex
says right on_device REX_CUBIN_NAME=code.image ./rex
for mode in unsafe threads retry twice fini; do works on_device REX_CUBIN_NAME=code.image ./rex $mode; done
link "$here/examples/by_hand.c" by_hand
says right on_device ./by_hand code.image
done_testing
