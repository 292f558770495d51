#!/bin/sh
# Compares solo's libLLVMOffload.so with LLVM's liboffload 22 in one run, by the same program on the same simulated
# GPU. Also measures solo on the CPU, for which LLVM's library has no kernels. Prints medians in ns and the factors.
# Usage: offload.sh [ROUNDS]
set -eu
cd "$(dirname "$0")/.."
rounds=${1:-3000}
. tests/offload/peer.sh
sh tests/offload/differential.sh >/dev/null # builds the libcuda.so of LLVM's library
work=build/bench/offload
mkdir -p $work
sim=$PWD/build/sim/cuda
gcc -O2 -I"$(dirname "$peer_header")" -o $work/offload bench/offload.c "$peer_lib/libLLVMOffload.so.22.1"
peer_path=$PWD/build/tests/offload/differential/cuda:$peer_lib:/usr/lib/llvm-22/lib
own_path=$sim:$PWD/build/lib/glibc/shared
for i in 1 2 3 4 5; do # alternating
  LD_LIBRARY_PATH=$peer_path $work/offload 1 $sim/conf-sm90.cubin "$rounds" | sed 's/^/peer /'
  LD_LIBRARY_PATH=$own_path $work/offload 1 $sim/conf-sm90.cubin "$rounds" | sed 's/^/own /'
  LD_LIBRARY_PATH=$PWD/build/lib/glibc/shared-cpu:$PWD/build/lib/glibc/shared $work/offload 4 build/sim/conf_kernels.so "$rounds" | sed 's/^/cpu /'
done >$work/times
python3 - $work/times <<'END'
import statistics, sys
from collections import defaultdict
rows = defaultdict(list)
for line in open(sys.argv[1]):
    who, what, ns = line.split()
    rows[who, what].append(float(ns))
m = {k: statistics.median(v) for k, v in rows.items()}
for what in ("first_kernel", "launch_sync", "copy_4Ki"):
    peer, own, cpu = m["peer", what], m["own", what], m["cpu", what]
    print(f"{what}: LLVM {peer:.0f} ns, solo {own:.0f} ns ({peer / own:.2f} x faster), solo on the CPU {cpu:.0f} ns ({peer / cpu:.0f} x)")
END
