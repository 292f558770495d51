#!/bin/sh
# Description: with --driver-binding=needed for hsa, a drop-in program and solo-info need Debian's libhsa-runtime64.so.1, print
# the reason for a missing device, and run on the simulated runtime. Without a device, the program runs on the host or ends by policy.
set -u
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
[ ! -e /dev/kfd ] || { echo "skipped: this machine has an AMD GPU's driver"; exit 77; }
sim=$PWD/build/sim/hsa
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
sh tests/copy_tree.sh "$dir" || exit 1
cd "$dir" || exit 1
./configure.sh --driver-binding=needed --backends=hsa,host --libc=glibc --no-tests >log 2>&1 &&
  ninja >>log 2>&1 || { tail -n 20 log; exit 1; }
cat >region.c <<'END'
int main(void) {
  int x = 1;
#pragma omp target map(tofrom : x)
  x++;
  return x != 2;
}
END
fail=0
expect() { # expect <exit status> <text> <program...>
  want=$1 words=$2
  shift 2
  out=$("$@" 2>&1)
  rc=$?
  case $out in
  *"$words"*) [ $rc = "$want" ] && return ;;
  esac
  echo "failed: $*: exit status $rc, expected $want; \"$words\" in:"
  echo "$out"
  fail=1
}
reason='hsa: the runtime does not start: 0x1008: HSA_STATUS_ERROR_OUT_OF_RESOURCES'
lib=build/lib/glibc
LIBRARY_PATH=/usr/lib/llvm-19/lib clang-19 -O2 -fopenmp -I. -L$lib -Wl,-rpath,/usr/lib/llvm-19/lib \
  tests/cuda/explain.c -lomptarget -o explain >log 2>&1 || { cat log; exit 1; }
readelf -d explain | grep -q 'NEEDED.*libhsa-runtime64\.so\.1' || { echo "failed: no NEEDED entry"; fail=1; }
expect 0 "${reason#hsa: }" ./explain
expect 0 "Simulated Instinct (hsa, gfx90a:sramecc+:xnack-)" env LD_LIBRARY_PATH="$sim" ./explain
expect 0 "no device: $reason" build/bin/solo-info
if [ -e /usr/lib/x86_64-linux-gnu/amdgcn/bitcode/ockl.bc ]; then
  build/bin/solo-cc --targets=gfx90a -O2 region.c -o region >log 2>&1 || { cat log; exit 1; }
  expect 0 "there is no device ($reason" ./region
  expect 134 "there is no device ($reason" env OMP_TARGET_OFFLOAD=mandatory ./region
fi
[ $fail = 0 ] && echo "--driver-binding=needed is correct"
exit $fail
