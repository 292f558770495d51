#!/bin/sh
# Description: the latency measurement runs completely on the simulated driver.
cd "$(dirname "$0")/../../.." || exit 1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cp build/gpu-latency/* "$folder" || exit 1
RUN_ON_SIMULATOR=$PWD/build/sim/cuda ROUNDS=1 SAMPLES=200 sh "$folder/run.sh" "$folder/results" "$folder/calls" >"$folder/out" 2>&1
status=$?
fail=0
check() { # check <pattern> <count>: the results have so many lines with the pattern
  n=$(grep -cE "$1" "$folder/results")
  [ "$n" = "$2" ] || { echo "$n lines of '$1', expected $2"; fail=1; }
}
[ $status = 0 ] || { echo "run.sh ended with status $status"; fail=1; }
check '^launch 1 (launch_(synchronize|query|event|signal|write_value)|graph_[a-z_]+|resident|resident_4_warps) ns [0-9]+ [0-9]+ [0-9]+ [0-9]+$' 11
check '^launch 1 .* skipped: the driver lacks ' 1
check '^start (alone|held) .* context=[0-9.]+ .* total=[0-9.]+ ms n=[39]$' 12
check '^calls context ' 1
[ $fail = 0 ] || cat "$folder/out"
exit $fail
