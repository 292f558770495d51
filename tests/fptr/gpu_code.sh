#!/bin/sh
# Description: checks that solo's bitcode compiles to self-contained code for NVIDIA and AMD GPUs, and that solo-cc
# links it into programs that use solo_indirect.h. Architectures without tools are skipped.
set -u
. tests/cuda/toolkit.sh
device=build/lib/device
[ -f $device/libsolo_device.a ] || { echo "skipped: no device code was built: $(cat $device/absent)"; exit 77; }
command -v llc-19 >/dev/null || { echo "skipped: no llc-19"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
wrong=0
fail() { echo "failed: $*"; wrong=1; }

code() { # code <bitcode> <option...>: checks definitions and the absence of external references
  bitcode=$1
  shift
  llc-19 "$@" -o "$dir/code.s" "$device/$bitcode" 2>"$dir/log" || { fail "llc-19 $bitcode"; cat "$dir/log"; return; }
  for name in __kmpc_target_translate_fptr __llvm_omp_indirect_call_lookup solo_fptr_map \
    __omp_offloading_fptr_map_p __omp_offloading_fptr_map_size; do
    grep -q "$name" "$dir/code.s" || fail "$bitcode $*: no $name"
  done
  ! grep -E '^\.extern|\.globl.*UND' "$dir/code.s" || fail "$bitcode $*: external reference"
}
for arch in sm_60 sm_80 sm_90; do code solo-nvptx.bc -mcpu=$arch; done
for arch in gfx906 gfx90a gfx1030 gfx1100; do code solo-amdgcn.bc -mcpu=$arch; done

holds() { # holds <program> <symbol>: whether the device image defines it
  build/bin/solo-pack extract --image=2 -o "$dir/image" "$1" >/dev/null 2>"$dir/log" || { fail "no image in $1"; return 1; }
  readelf -sW "$dir/image" 2>/dev/null | grep -q "$2"
}
link() { # link <target>
  for source in tests/programs/indirect.c tests/programs/virtual.cpp; do
    case $source in *.cpp) cc=solo-c++ ;; *) cc=solo-cc ;; esac
    build/bin/$cc --targets="$1" -O2 -fopenmp-version=52 -Wno-openmp-mapping -Wno-unknown-cuda-version \
      -Itests/programs $source -o "$dir/program" >"$dir/log" 2>&1 || { fail "$1: $source does not link"; tail -5 "$dir/log"; continue; }
    holds "$dir/program" solo_fptr_map || fail "$1: $source: the image does not define solo_fptr_map"
  done
  echo "linked for $1"
}
if command -v clang-19 >/dev/null && [ -f build/lib/glibc/libomptarget.a ]; then
  if [ "$toolkit" ]; then link sm_80; else echo "not linked for sm_80: no ptxas (CUDA toolkit) here"; fi
  if [ -e /usr/lib/x86_64-linux-gnu/amdgcn/bitcode/ockl.bc ]; then link gfx90a
  else echo "not linked for gfx90a: no AMD device libraries (rocm-device-libs) here"; fi
fi
exit $wrong
