#!/bin/sh
# Description: a program executes more than 700 checks with LLVM's liboffload 22 and with libLLVMOffload.so of solo, on the same
# simulated GPUs. Codes and values must be equal.
. tests/offload/peer.sh
work=build/tests/offload/differential
mkdir -p $work/cuda
sim=$PWD/build/sim/cuda
gcc -O0 -Wall -Wextra -I"$(dirname "$peer_header")" -o $work/differential tests/offload/differential.c \
  "$peer_lib/libLLVMOffload.so.22.1" || exit 1
gcc -O1 -Wall -Wextra -shared -fPIC -fvisibility=hidden -o $work/cuda/libcuda.so tests/offload/llvm_cuda.c \
  $sim/libcuda.so.1 -Wl,--no-as-needed -ldl -Wl,-rpath,"$sim" -Wl,-soname,libcuda.so || exit 1
export SIM_DEVICES=2
for which in peer own; do
  case $which in
  peer) path=$PWD/$work/cuda:$peer_lib:/usr/lib/llvm-22/lib ;;
  own) path=$sim:$PWD/build/lib/glibc/shared ;;
  esac
  LD_LIBRARY_PATH=$path $work/differential $sim/conf-sm90.cubin build/sim/hsa/kernels-gfx90a.co >$work/$which.txt 2>$work/$which.err
  code=$?
  [ $code = 0 ] || { echo "$which: exit status $code"; tail -3 $work/$which.txt $work/$which.err; exit 1; }
done
cmp $work/peer.txt $work/own.txt || { diff $work/peer.txt $work/own.txt | head -20; exit 1; }
n=$(wc -l <$work/own.txt)
[ "$n" -ge 700 ] || { echo "only $n checks"; exit 1; }
grep -q '^[0-9]* x = 187$' $work/own.txt || { echo "no kernel was executed"; exit 1; }
# LLVM's header in a static program
static=build/lib/musl-simt
[ -f $static/libsolo.a ] || static=build/lib/musl
musl-gcc -static -O0 -include stdbool.h -DOFFLOAD_HEADER="\"$peer_header\"" -I. tests/offload/test_functions.c -o $work/static \
  build/lib/musl/libsolo_offload.a $static/libsolo.a $static/libsolo_atomic.a || exit 1
unset SIM_DEVICES
$work/static host build/sim/conf_kernels.so || exit 1
[ $static = build/lib/musl ] || SIMT_TARGET=sm_90 $work/static simt-sm_90 build/sim/simt/conf.image || exit 1
echo "$n checks: LLVM's liboffload and solo agree"
