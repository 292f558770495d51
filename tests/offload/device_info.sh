#!/bin/sh
# Description: with libLLVMOffload.so of solo, llvm-offload-device-info 22 prints simulated GPUs and the CPU.
. tests/offload/peer.sh
work=build/tests/offload/device_info
mkdir -p $work
export SIM_DEVICES=2
export LD_LIBRARY_PATH="$PWD/build/lib/glibc/shared:$PWD/build/sim/cuda:$PWD/build/sim/hsa"
"$peer_info" >$work/out 2>&1 || { echo "exit status $?"; cat $work/out; exit 1; }
# the program's run path names LLVM's own library; LD_LIBRARY_PATH precedes it
LD_DEBUG=libs "$peer_info" 2>&1 | grep -q "calling init: $PWD/build/lib/glibc/shared/libLLVMOffload.so.22.1" ||
  { echo "another libLLVMOffload.so was loaded"; exit 1; }
fail=0
expect() { # expect COUNT PATTERN
  n=$(grep -c "$2" $work/out)
  [ "$n" = "$1" ] || { echo "$n lines '$2', expected $1"; fail=1; }
}
expect 1 '^Num Devices: 5$'
expect 2 '^Name: Simulated GPU [01]$'
expect 2 '^Platform Backend: CUDA$'
expect 2 '^Platform Backend: AMDGPU$'
expect 2 '^Platform Vendor Name: NVIDIA$'
expect 2 '^Platform Vendor Name: AMD$'
expect 1 '^Platform Backend: HOST$'
expect 4 '^Type: GPU$'
expect 1 '^Type: HOST$'
expect 5 '^Address Bits: 64$'
[ $fail = 0 ] || { cat $work/out; exit 1; }
echo "llvm-offload-device-info prints all 5 devices"
