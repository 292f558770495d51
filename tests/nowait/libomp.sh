#!/bin/sh
# Description: runs test_nowait_graph.c with libomp's tasks, with and without hidden helper threads. The program
# exports the query function for target tasks, which libomp calls.   libomp.sh GRAPHS
set -u
llvm=/usr/lib/llvm-19/lib
[ -e $llvm/libomp.so ] || { echo "skipped: no libomp"; exit 77; }
out=build/check/tests/nowait/graph_libomp_$1
gcc -rdynamic -o $out build/check/tests/nowait/test_nowait_graph_sim.o build/check/solo_test.o \
  -Wl,--no-as-needed build/sim/cuda/libcuda.so.1 build/sim/hsa/libhsa-runtime64.so.1 \
  "-Wl,-rpath,$PWD/build/sim/cuda:$PWD/build/sim/hsa:$llvm" -L$llvm -lomp -lpthread -lm || exit 1
for helper in 1 0; do
  LIBOMP_USE_HIDDEN_HELPER_TASK=$helper SIM_DELAY_US=20 timeout 600 $out 1 "$1" build/sim/cuda/rtl.cubin \
    build/sim/hsa/rtl.co || exit 1
done
