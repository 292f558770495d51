#!/bin/sh
# Description: examples/offload and a program with OpenMP and OffloadAPI.h: static with musl, static archives with glibc, and
# libLLVMOffload.so. Other programs contain no ol* functions.
set -u
work=build/tests/offload/forms
mkdir -p $work
fail=0
wrong() { echo "FAILED: $*"; fail=1; }
expect() { # expect NAME TEXT COMMAND
  name=$1 text=$2; shift 2
  "$@" >$work/out 2>&1 || wrong "$name: exit status $?"
  [ "$(cat $work/out)" = "$text" ] || { wrong "$name: output"; cat $work/out; }
}
sh examples/offload/build.sh $work || exit 1
musl=build/lib/musl glibc=build/lib/glibc
include='-isystem build/include'
musl-gcc -static -O2 $include examples/offload/scale.c -o $work/scale-musl $musl/libsolo_offload.a $musl/libsolo.a \
  $musl/libsolo_atomic.a || exit 1
expect musl 'x86_64 CPU: right' $work/scale-musl $work/scale.cpu $work/scale.ptx
gcc -O2 $include examples/offload/scale.c -o $work/scale-glibc $glibc/libsolo_offload.a $glibc/libsolo.a \
  $glibc/libsolo_atomic.a -lpthread -lm || exit 1
expect glibc 'x86_64 CPU: right' $work/scale-glibc $work/scale.cpu
gcc -O2 $include examples/offload/scale.c -o $work/scale-shared -L$glibc/shared -lLLVMOffload \
  -Wl,-rpath,"$PWD/$glibc/shared" || exit 1
expect shared 'x86_64 CPU: right' $work/scale-shared $work/scale.cpu
if [ -f build/lib/musl-simt/libsolo.a ]; then
  export SIMT_TARGET=sm_80
  musl-gcc -static -O2 $include examples/offload/scale.c -o $work/scale-simt $musl/libsolo_offload.a \
    build/lib/musl-simt/libsolo.a build/lib/musl-simt/libsolo_atomic.a || exit 1
  both='x86_64 CPU: right
virtual GPU (sm_80): right'
  expect musl-simt "$both" $work/scale-simt $work/scale.cpu $work/scale.simt
  expect shared-simt "$both" $work/scale-shared $work/scale.cpu $work/scale.simt
  unset SIMT_TARGET
  # the simulated NVIDIA GPU executes the same translated code
  build/sim/sim-dress $work/scale.simt $work/scale.cubin 190 0x41 8 0x06005a04 || wrong sim-dress
  expect shared-cuda 'x86_64 CPU: right
Simulated GPU 0: right' env SIM_DEVICES=1 LD_LIBRARY_PATH="$PWD/build/sim/cuda" $work/scale-shared $work/scale.cpu $work/scale.cubin
else
  echo 'not tested: the virtual GPU: no build/lib/musl-simt'
fi
image=build/sim/conf_kernels.so
build/bin/solo-cc --static -O1 tests/offload/with_openmp.c -Ibuild/include $musl/libsolo_offload.a -o $work/openmp-static || wrong "solo-cc --static"
expect openmp-static right $work/openmp-static $image
build/bin/solo-cc -O1 tests/offload/with_openmp.c -Ibuild/include $glibc/libsolo_offload.a -o $work/openmp-dynamic || wrong solo-cc
expect openmp-dynamic right $work/openmp-dynamic $image
clang-19 -O1 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu $include tests/offload/with_openmp.c -o $work/openmp-shared \
  -L$glibc/shared -lomptarget -lLLVMOffload -Wl,-rpath,"$PWD/$glibc/shared" 2>$work/log || { cat $work/log; wrong clang; }
expect openmp-shared right $work/openmp-shared $image
build/bin/solo-cc --static -O2 examples/zaxpy.c -o $work/zaxpy || wrong zaxpy
nm $work/zaxpy | grep -qE ' (olInit|olLaunchKernel|ol_create|solo_offload_core)$' && wrong "zaxpy contains the offload interface"
[ $fail = 0 ] && echo "all forms are right"
exit $fail
