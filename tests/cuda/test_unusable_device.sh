#!/bin/sh
# Description: the message for an unusable device states the reason and a remedy; the region runs correctly on the host.
# test_unusable_device.sh PROGRAM CUBIN
set -u
fail=0
out=$(mktemp)
trap 'rm -f "$out"' EXIT
says() { # says <text> <variable=value...>
  words=$1
  shift
  env SOLO_DEBUG=1 "$@" "$program" "$cubin" region >"$out" 2>&1 || { echo "failed: $*: exit status $?"; fail=1; }
  grep -q "$words" "$out" && return
  echo "failed: $*: no \"$words\" in:"
  cat "$out"
  fail=1
}
program=$1 cubin=$2
says 'CUDA_ERROR_NO_DEVICE.*see nvidia-smi, CUDA_VISIBLE_DEVICES' SIM_DEVICES=0
says 'supports CUDA 10.2, solo requires 11.0 or newer: update the NVIDIA driver' SIM_CUDA_DRIVER=10020
says 'CUDA_ERROR_SYSTEM_DRIVER_MISMATCH.*see nvidia-smi, reload the module or reboot' SIM_FAIL=cuInit:1:803
says 'CUDA_ERROR_SYSTEM_NOT_READY' SIM_FAIL=cuInit:2:802
says 'CUDA_ERROR_DEVICE_UNAVAILABLE' SIM_FAIL=cuDevicePrimaryCtxRetain:1:46
says 'CUDA_ERROR_STUB_LIBRARY.*stub for linking' SIM_FAIL=cuInit:1:34
says 'CUDA_ERROR_UNSUPPORTED_PTX_VERSION.*too old for this PTX' SIM_FAIL=cuModuleLoadDataEx:1:222
says 'made by ptxas of CUDA 13 or later; the driver is CUDA 12.4.s' SIM_CUDA_DRIVER=12040
says 'CUDA_ERROR_INVALID_IMAGE.*the image is a cubin of CUDA 13 or later, the driver is CUDA 13.0.s' \
  SIM_FAIL=cuModuleLoadDataEx:1:200
says 'LIBOMPTARGET_STACK_SIZE' LIBOMPTARGET_STACK_SIZE=100g

# Images with the compiler's version or with a connection to the host.
kernels() { # kernels <name> <option...>: program_kernels.c as a cubin (as tests/sim/sim.ninja makes it)
  name=$1
  shift
  gcc -std=gnu11 -O1 -ffreestanding -fPIC -fvisibility=hidden -fno-stack-protector -fcf-protection=none \
    -fno-tree-loop-distribute-patterns -I. -shared -nostdlib -Wl,-Bsymbolic,--hash-style=sysv,--build-id=none \
    "$@" -o "$out.so" tests/cuda/program_kernels.c && build/sim/sim-dress "$out.so" "$out.$name" 190 0x41 8 0x06005a04 &&
    cubin=$out.$name
}
kernels newer
printf 'clang version 19.1.7\0clang version 23.1.0 (of somebody)\0' >"$out.comment"
objcopy --update-section .comment="$out.comment" "$out.so" && build/sim/sim-dress "$out.so" "$cubin" 190 0x41 8 0x06005a04
says 'was made by Clang 23: .* Clang 17 to 22' A=
printf 'clang version 23.1\0' >"$out.comment" # no text follows the version
objcopy --update-section .comment="$out.comment" "$out.so" && build/sim/sim-dress "$out.so" "$cubin" 190 0x41 8 0x06005a04
says 'was made by Clang 23: .* Clang 17 to 22' A=
kernels small -DLATER_THAN_22
says 'has 40 bytes, not the 48 of Clang 17 to 22' A=
kernels host -DASKS_HOST=__llvm_libc_rpc_client -DLOCKS=128
says 'uses LLVM.s GPU C library of version 17 to 19 (__llvm_libc_rpc_client)' A=
kernels other -DASKS_HOST=__llvm_rpc_client -DLOCKS=64
says '__llvm_rpc_client in the image for device 0 has 296 bytes, not the 552 of LLVM 20 to 22' A=
rm -f "$out".*
exit $fail
