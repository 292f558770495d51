#!/bin/sh
# Description: checks the results of the small applications of bench/mini: static with both libcs, and with libomp.
#   mini.sh CLANG FORM        FORM: musl, glibc, dropin
set -u
clang=$1 form=$2
command -v "$clang" >/dev/null || { echo "skipped: no $clang"; exit 77; }
out=build/tests/kmpc/mini.$clang.$form
mkdir -p build/tests/kmpc
flags='-O2 -I. -D_DEFAULT_SOURCE -Wno-openmp-mapping'
llvm=/usr/lib/llvm-19/lib # libomp, also for LLVM 22
case $form in
dropin)
  "$clang" -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu $flags -idirafter build/include bench/q_mini.c \
    bench/mini/*.c -o "$out" -Lbuild/lib/glibc -L$llvm -Wl,-rpath,$llvm -lpthread -lm || exit 1 ;;
*)
  SOLO_CLANG=$clang build/bin/solo-cc --static "--$form" $flags bench/q_mini.c bench/mini/*.c -o "$out" -lm ||
    exit 1 ;;
esac
for setting in A=1 OMP_NUM_THREADS=1 OMP_NUM_THREADS=4 SOLO_HOST_THREADS=exact; do
  env OMP_TARGET_OFFLOAD=mandatory "$setting" "$out" --check || { echo "failed: $setting"; exit 1; }
done
