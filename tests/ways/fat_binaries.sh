#!/bin/sh
# Builds and runs test_fat_binaries.c with libsolo_hip.a and libsolo_cuda.a.
name=ways_fat_binaries
. tests/tools/lib.sh
here=$tree/..
printf 'extern "C" void _Z6addOnePi(int *v) { *v += 1; }\n' >kernel.cpp
works g++ -shared -fPIC -O2 kernel.cpp -o cpu.so
works clang-offload-bundler-19 -type=o -bundle-align=64 \
  -targets=host-x86_64-unknown-linux-gnu,hipv4-x86_64-unknown-linux-gnu- -input=/dev/null -input=cpu.so -output=bundle
works gcc -std=c11 -O1 -g -I"$here" "$here/tests/ways/test_fat_binaries.c" -o program -L"$tree/lib/glibc" -lsolo_hip \
  -lsolo_cuda "$tree/lib/glibc/libsolo.a" -lpthread -lm
works ./program bundle
tail -n 2 out
done_testing
