#!/bin/sh
# Description: a drop-in program built with --driver-binding=needed does not start without the driver library, reports a
# stub library, and runs on the simulated driver, like libsolo.so and solo-info. Static programs link.
set -u
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
if ldconfig -p | grep -q 'libcuda\.so\.1'; then
  echo "skipped: a real libcuda.so.1 is installed, which the loader would find"
  exit 77
fi
sim=$PWD/build/sim/cuda
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
sh tests/copy_tree.sh "$dir" || exit 1
cd "$dir" || exit 1
./configure.sh --driver-binding=needed --backends=cuda,host --libc=glibc --no-tests >log 2>&1 &&
  ninja build/lib/glibc/libomptarget.a build/lib/glibc/libsolo.a build/lib/glibc/shared/libsolo.so.1 \
    build/lib/glibc/stubs/libcuda.so build/bin/solo-info >>log 2>&1 || { tail -n 20 log; exit 1; }
lib=build/lib/glibc
mkdir none stub simulated
cp $lib/stubs/libcuda.so stub/libcuda.so.1
cp "$sim/libcuda.so.1" "$sim/sim-device" simulated/
fail=0

expect() { # expect <case> <library folder> <text> <program...>
  what=$1 folder=$2 words=$3
  shift 3
  out=$(LD_LIBRARY_PATH=$dir/$folder:$dir/$lib:$dir/$lib/shared "$@" 2>&1)
  rc=$?
  case $out in
  *"$words"*) [ $rc = 0 ] && return ;;
  esac
  echo "failed: $what: exit status $rc, no \"$words\" in:"
  echo "$out"
  fail=1
}
check() { # check <case> <program...>
  what=$1
  shift
  if LD_LIBRARY_PATH=$dir/none:$dir/$lib:$dir/$lib/shared "$@" >out 2>&1; then
    echo "failed: $what starts without its driver library"
    fail=1
  fi
  grep -q 'libcuda\.so\.1: cannot open shared object file' out || { echo "failed: $what:"; cat out; fail=1; }
  expect "$what, stub" stub CUDA_ERROR_STUB_LIBRARY "$@"
  expect "$what, driver" simulated "Simulated GPU 0 (cuda, sm_90)" "$@"
}

cat >region.c <<'END'
int main(void) {
  int x = 1;
#pragma omp target map(tofrom : x)
  x++;
  return x != 2;
}
END
for linker in bfd lld; do
  for flag in -O2 -Wl,--as-needed -Wl,--gc-sections,-z,nostart-stop-gc; do
    set -- -fuse-ld=$linker $flag -fopenmp -I. -L$lib -Wl,-rpath,/usr/lib/llvm-19/lib -o program
    LIBRARY_PATH=/usr/lib/llvm-19/lib clang-19 "$@" tests/cuda/explain.c -lomptarget >log 2>&1 ||
      { echo "failed: $linker $flag:"; cat log; fail=1; continue; }
    readelf -d program | grep -q 'NEEDED.*libcuda\.so\.1' || { echo "failed: $linker $flag: no NEEDED"; fail=1; }
    readelf -d program | grep -q 'NEEDED.*libsolo_drv' && { echo "failed: $linker $flag: libsolo_drv"; fail=1; }
    check "explicit, $linker $flag" ./program
    LIBRARY_PATH=/usr/lib/llvm-19/lib clang-19 "$@" -fopenmp-targets=x86_64-pc-linux-gnu region.c \
      >log 2>&1 || { echo "failed: drop-in, $linker $flag:"; cat log; fail=1; continue; }
    expect "drop-in, $linker $flag" simulated "" env OMP_TARGET_OFFLOAD=mandatory ./program
  done
done
gcc -I. tests/cuda/explain.c -o explain -Wl,-rpath-link,stub $lib/shared/libsolo.so
check "libsolo.so" ./explain
expect "solo-info" simulated "Simulated GPU 0, sm_90" build/bin/solo-info
gcc -static -I. tests/cuda/explain.c -o explain $lib/libsolo.a -lpthread -lm 2>log || { cat log; fail=1; }
expect "static" simulated "no driver library" ./explain
[ $fail = 0 ] && echo "--driver-binding=needed is correct"
exit $fail
