#!/bin/sh
# Compares solo's libLLVMOffload.so with LLVM's liboffload 22 in one run: the same program on the same simulated GPU.
# Also measures the driver alone, solo without CUDA graphs, and solo on the CPU, for which LLVM's library has no queues
# and kernels. Prints medians in ns and factors. Usage: offload.sh [ROUNDS]
set -eu
cd "$(dirname "$0")/.."
rounds=${1:-3000}
. tests/offload/peer.sh
sh tests/offload/differential.sh >/dev/null # builds the libcuda.so of LLVM's library
work=build/bench/offload
mkdir -p $work
sim=$PWD/build/sim/cuda
gcc -O2 -I"$(dirname "$peer_header")" -o $work/offload bench/offload.c "$peer_lib/libLLVMOffload.so.22.1"
gcc -O2 -o $work/driver bench/offload_driver.c $sim/libcuda.so.1 -Wl,-rpath,"$sim"
peer_path=$PWD/build/tests/offload/differential/cuda:$peer_lib:/usr/lib/llvm-22/lib
lib=$PWD/build/lib/glibc
own_path=$sim:$lib/shared
measure() { # measure NAME PATH BACKEND IMAGE
  LD_LIBRARY_PATH=$2 $work/offload "$3" "$4" "$rounds" | sed "s/^/$1 /"
  start=$(date +%s%N)
  LD_LIBRARY_PATH=$2 $work/offload "$3" "$4" 1 >/dev/null
  echo "$1 process $(($(date +%s%N) - start))"
}
for i in 1 2 3 4 5; do # alternating
  measure peer "$peer_path" 1 $sim/conf-sm90.cubin
  measure own "$own_path" 1 $sim/conf-sm90.cubin
  export SIM_CUDA_NO_GRAPHS=1
  measure nographs "$own_path" 1 $sim/conf-sm90.cubin
  unset SIM_CUDA_NO_GRAPHS
  measure cpu "$lib/shared-cpu:$lib/shared" 4 build/sim/conf_kernels.so
  $work/driver $sim/conf-sm90.cubin "$rounds" | sed 's/^/driver /'
done >$work/times
python3 - $work/times <<'END'
import statistics, sys
from collections import defaultdict
rows = defaultdict(list)
for line in open(sys.argv[1]):
    name, what, ns = line.split()
    rows[name, what].append(float(ns))
m = {k: statistics.median(v) for k, v in rows.items()}
names = {"driver": "driver alone", "own": "solo", "nographs": "solo without graphs", "cpu": "solo on the CPU"}
for what in ("process", "first_kernel", "launch_sync", "copy_4Ki"):
    peer = m["peer", what]
    parts = [f"{names[n]} {m[n, what]:.0f} ns ({peer / m[n, what]:.2f} x)" for n in names if (n, what) in m]
    print(f"{what}: LLVM {peer:.0f} ns, " + ", ".join(parts))
END
