#!/bin/sh
# Description: why a device cannot be used is said, with how to check it: no device, a driver that is too
# old, one that does not start or fails later; the region then runs on the host, right.
# test_absent.sh PROGRAM CUBIN
set -u
fail=0
out=$(mktemp)
trap 'rm -f "$out"' EXIT
says() { # says <words> <variable=value...>
  words=$1
  shift
  env SOLO_DEBUG=1 "$@" "$program" "$cubin" region >"$out" 2>&1 || { echo "failed: $*: exit status $?"; fail=1; }
  grep -q "$words" "$out" && return
  echo "failed: $*: no \"$words\" in:"
  cat "$out"
  fail=1
}
program=$1 cubin=$2
says 'CUDA_ERROR_NO_DEVICE.*see nvidia-smi, and CUDA_VISIBLE_DEVICES' SIM_DEVICES=0
says 'speaks CUDA 10.2, solo needs 11.0 or newer: update the NVIDIA driver' SIM_CUDA_DRIVER=10020
says 'CUDA_ERROR_SYSTEM_DRIVER_MISMATCH.*see nvidia-smi, reload the module or reboot' SIM_FAIL=cuInit:1:803
says 'CUDA_ERROR_SYSTEM_NOT_READY' SIM_FAIL=cuInit:2:802
says 'CUDA_ERROR_DEVICE_UNAVAILABLE' SIM_FAIL=cuDevicePrimaryCtxRetain:1:46
says 'CUDA_ERROR_STUB_LIBRARY.*stub for linking' SIM_FAIL=cuInit:1:34
says 'CUDA_ERROR_UNSUPPORTED_PTX_VERSION.*too old for this PTX' SIM_FAIL=cuModuleLoadDataEx:1:222
says 'LIBOMPTARGET_STACK_SIZE' LIBOMPTARGET_STACK_SIZE=100g
exit $fail
