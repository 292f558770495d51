#!/bin/sh
# Description: runs both_interfaces.c, compiled by Clang, with ThreadSanitizer and 1, 2 and 5 threads.
cd "$(dirname "$0")/../.." || exit 1
out=build/tests/gcc/both_interfaces
mkdir -p build/tests/gcc
clang-19 -O1 -g -fopenmp -fsanitize=thread -isystem build/include -I. -c tests/gcc/both_interfaces.c -o $out.o || exit 1
clang-19 -fsanitize=thread $out.o -Wl,--start-group build/tsan/libgomp_names.a build/tsan/libkmpc.a build/tsan/base.a \
  -Wl,--end-group build/tsan/abi/kmpc/atomic_any.o -lm -o $out || exit 1
for threads in 1 2 5; do
  OMP_NUM_THREADS=$threads TSAN_OPTIONS='halt_on_error=1 history_size=4 atexit_sleep_ms=50' timeout 100 $out ||
    { echo "failed: $threads threads (status $?)"; exit 1; }
done
