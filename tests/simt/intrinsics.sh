#!/bin/sh
# Description: the virtual GPU defines each intrinsic that libdevice, ocml and LLVM's device runtime call, with the names
# of each installed LLVM.
set -u
[ -f build/lib/simt/nvptx_math.bc ] || { echo "skipped: the virtual GPU was not configured"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
{
  for part in nvptx nvptx_math amdgcn common libm; do
    llvm-nm-19 --defined-only "build/lib/simt/$part.bc" | awk '{ print $NF }'
  done
  grep -o 'simt_[a-z0-9_]*' build/lib/simt/asm.ll
} | sort -u >"$dir/have"
fail=0 any=0
look_at() { # look_at <bitcode> <least number of intrinsics>
  [ -f "$1" ] || return 0
  for version in 19 22; do
    command -v "llvm-dis-$version" >/dev/null || continue
    any=1
    "llvm-dis-$version" "$1" -o - | grep -oE '@llvm\.(nvvm|amdgcn)\.[A-Za-z0-9._]*' | sort -u |
      sed 's/@llvm\./simt_/; s/\./_/g' | sort -u >"$dir/wanted"
    [ "$(wc -l <"$dir/wanted")" -ge "$2" ] || { echo "failed: LLVM $version reads fewer than $2 intrinsics in $1"; fail=1; }
    comm -23 "$dir/wanted" "$dir/have" | sed "s|^|failed: missing, with LLVM $version, for ${1##*/}: |" >"$dir/missing"
    cat "$dir/missing"
    [ ! -s "$dir/missing" ] || fail=1
  done
}
for toolkit in "${CUDA_HOME:-}" /usr/local/cuda /usr/lib/cuda; do
  [ -f "$toolkit/nvvm/libdevice/libdevice.10.bc" ] || continue
  look_at "$toolkit/nvvm/libdevice/libdevice.10.bc" 100
  break
done
look_at /usr/lib/x86_64-linux-gnu/amdgcn/bitcode/ocml.bc 10
look_at /usr/lib/llvm-19/lib/libomptarget-nvptx-sm_90.bc 10
look_at /usr/lib/llvm-19/lib/libomptarget-amdgpu-gfx90a.bc 10
[ $any = 1 ] || { echo "skipped: no device libraries"; exit 77; }
exit $fail
