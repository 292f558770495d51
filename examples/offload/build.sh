#!/bin/sh
# Compiles the kernel of scale.c for the CPU, for NVIDIA GPUs (PTX) and for the virtual GPU. Usage: build.sh FOLDER
set -e
here=$(cd "$(dirname "$0")" && pwd)
out=$1
gcc -shared -fPIC -O2 -DDEVICE "$here/scale.c" -o "$out/scale.cpu"
gpu="clang-19 --target=nvptx64-nvidia-cuda -march=sm_80 -nogpulib -O2 -DDEVICE"
$gpu -S "$here/scale.c" -o "$out/scale.ptx"
# the virtual GPU: translated bitcode, with the ELF machine 0x5347 and the architecture in e_flags
translate=${SIMT_DEVICE:-$here/../../build/lib/simt}
[ -f "$translate/translate.sh" ] || exit 0
$gpu -emit-llvm -c "$here/scale.c" -o "$out/scale.bc"
SIMT_DEVICE=$translate sh "$translate/translate.sh" -a sm_80 -o "$out/scale.simt" "$out/scale.bc"
printf '\107\123' | dd of="$out/scale.simt" bs=1 seek=18 conv=notrunc 2>/dev/null
printf '\120' | dd of="$out/scale.simt" bs=1 seek=48 conv=notrunc 2>/dev/null
