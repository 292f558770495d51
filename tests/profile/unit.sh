#!/bin/sh
# Description: runs test_profile with enough and too few chunks, and a profile of a graph test: unit.sh VARIANT
set -u
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
dir=build/$1/tests/profile
wrong=0
for chunks in 64 16; do
  $dir/test_profile_$chunks $dir/unit.json || { echo "test_profile_$chunks failed"; wrong=1; }
  python3 tests/profile/check_unit.py $dir/unit.json $((chunks * 128)) || wrong=1
done
LIBOMPTARGET_PROFILE=$dir/graph.json SIM_DELAY_US=20 build/"$1"/tests/nowait/test_nowait_graph_sim 1 2 \
  build/sim/cuda/rtl.cubin build/sim/hsa/rtl.co || { echo "graph failed"; wrong=1; }
python3 -m json.tool $dir/graph.json >/dev/null || wrong=1
for what in '"Kernel Target"' '"Runtime: synchronize"' '"HostToDev"' '"DevToHost"' '"DevAlloc"'; do
  grep -q "$what" $dir/graph.json || { echo "no $what in the graph's profile"; wrong=1; }
done
exit $wrong
