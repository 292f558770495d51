#!/bin/sh
# Description: device code of solo (fptr.c) as bitcode, and Clang 19's OpenMP device runtimes with
# it, which solo-cc names to Clang in their place.
#   make.sh FOLDER        writes FOLDER/<runtime>.bc, FOLDER/solo-<target>.bc and, last, FOLDER/stamp;
#                         FOLDER/from: the folder of the runtimes; FOLDER/absent: what is not there,
#                         and why
set -eu
tree=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"
rm -f ./*.bc absent from stamp
if ! command -v clang-19 >/dev/null || ! command -v llvm-link-19 >/dev/null; then
  echo "no device code for GPUs: clang-19 or llvm-link-19 (llvm-19) is missing" | tee absent
  : >stamp
  exit 0
fi
# Attributes of one processor would keep the code from being inlined into that of another.
neutral='/^attributes /s/"(target-features|target-cpu|amdgpu-[a-z-]*|frame-pointer)"="[^"]*" *//g'
compile() { # compile <name> <triple> [option...]
  name=$1 triple=$2
  shift 2
  if clang-19 --target="$triple" -std=c11 -Wall -Wextra -O2 -nogpulib -ffreestanding "$@" \
    -emit-llvm -S "$tree/fptr.c" -o "$name.ll" 2>words; then
    sed -i -E "$neutral" "$name.ll"
    llvm-link-19 "$name.ll" -o "solo-$name.bc"
  else
    echo "no device code for $name: $(head -1 words)" | tee -a absent
  fi
  rm -f words
}
compile nvptx nvptx64-nvidia-cuda
compile amdgcn amdgcn-amd-amdhsa -Xclang -mcode-object-version=none
any=$(clang-19 -print-file-name=libomptarget-nvptx-sm_80.bc)
from=$(readlink -f "$(dirname "$any")")
for runtime in "$from"/libomptarget-nvptx-*.bc "$from"/libomptarget-amdgpu-*.bc; do
  case $runtime in
  *'*'*) echo "no ${runtime##*/} beside clang-19 (Debian: libomp-19-dev)" | tee -a absent; continue ;;
  *-nvptx-*) name=nvptx ;;
  *) name=amdgcn ;;
  esac
  if [ -f $name.ll ]; then llvm-link-19 "$runtime" --override=$name.ll -o "${runtime##*/}"; fi
done
echo "$from" >from
rm -f nvptx.ll amdgcn.ll
: >stamp
