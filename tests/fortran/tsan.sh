#!/bin/sh
# Description: runs flang's kernels, as a registered image, and solo's threads with ThreadSanitizer.
#   tsan.sh PROGRAM
set -eu
cd "$(dirname "$0")/../.."
. tests/fortran/lib.sh
program=$1
source=tests/fortran/$program.f90
exe=$out/$program.tsan
modules=$exe.modules
mkdir -p "$modules"
for tool in opt-22 llc-22 clang-22 clang-19; do
  command -v $tool >/dev/null || skip "no $tool (package llvm-22, clang-19)"
done
[ -f build/tsan/libkmpc.a ] || skip "no build for ThreadSanitizer"
target="-fopenmp -fopenmp-targets=$(uname -m)-pc-linux-gnu -J $modules"

"$flang" $target -O1 --offload-device-only -emit-llvm -S "$source" -o "$exe.ll"
sed 's/^\(attributes #[0-9]* = {\)/\1 sanitize_thread/' "$exe.ll" |
  opt-22 -passes='module(tsan-module),function(tsan)' -o "$exe.bc"
llc-22 -O1 -relocation-model=pic -filetype=obj "$exe.bc" -o "$exe.device.o"
nm -u "$exe.device.o" | grep -q __tsan_write || { echo "failed: kernels are not instrumented"; exit 1; }
runtime=$(clang-22 -print-resource-dir)/lib/$(uname -m)-pc-linux-gnu/libflang_rt.runtime.a
gcc -shared -Wl,-Bsymbolic "$exe.device.o" "$runtime" -o "$exe.img"
build/bin/solo-pack wrap -o "$exe.image.o" "$exe.img"
"$flang" $target -O1 --offload-host-only -c "$source" -o "$exe.host.o"
clang-19 -fsanitize=thread -rdynamic "$exe.host.o" "$exe.image.o" build/tsan/runtime.o build/tsan/abi.o \
  build/tsan/backends.o -Wl,--whole-archive build/tsan/libkmpc.a -Wl,--no-whole-archive "$runtime" -lm -latomic -o "$exe"
for threads in 1 2 4 16; do
  TSAN_OPTIONS="halt_on_error=1 history_size=4 atexit_sleep_ms=50" OMP_TARGET_OFFLOAD=mandatory OMP_NUM_THREADS=$threads \
    "$exe" >"$exe.log" 2>&1 || { echo "failed: $threads threads: status $?"; cat "$exe.log"; exit 1; }
done
