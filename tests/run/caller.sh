#!/bin/sh
# Description: tests/run.sh runs tests without its caller's settings: seen.sh would see them.
set -u
for name in OMP_TARGET_OFFLOAD OMP_NUM_THREADS KMP_BLOCKTIME LIBOMP_USE_HIDDEN_HELPER_TASK \
  LIBOMPTARGET_INFO OMPTARGET_SOMETHING GOMP_SPINCOUNT SOLO_DEBUG SIM_DELAY_US LD_LIBRARY_PATH \
  LD_BIND_NOW CUDA_VISIBLE_DEVICES HSA_XNACK ROCR_VISIBLE_DEVICES ASAN_OPTIONS TSAN_OPTIONS CFLAGS \
  CXXFLAGS CPPFLAGS LDFLAGS MAKEFLAGS CC CXX FC LIBRARY_PATH CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH \
  COMPILER_PATH GLIBC_TUNABLES CCC_OVERRIDE_OPTIONS CLANG DESTDIR LANG BENCH_PIN; do
  set -- "$@" "$name=detect_leaks=1"
done
if sh tests/run/seen.sh >/dev/null; then
  env "$@" sh tests/run/seen.sh >/dev/null && { echo "failed: seen.sh sees nothing"; exit 1; }
fi
env "$@" sh tests/run.sh --logs build/test-logs-of-caller run/seen
