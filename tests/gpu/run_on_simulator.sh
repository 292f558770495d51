#!/bin/sh
# Description: the GPU bundle is built, unpacked elsewhere, and run on the simulated driver. OpenMP programs only
# start, because their device code needs a GPU.
set -u
. tests/cuda/toolkit.sh
[ -n "$toolkit" ] || { echo "skipped: no CUDA toolkit (ptxas, libdevice) on this machine"; exit 77; }
ninja gpu-bundle || exit 1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
size=$(wc -c <build/gpu-bundle.tar.xz)
[ "$size" -le $((60 << 20)) ] || { echo "failed: the archive has $size bytes"; exit 1; }
tar -C "$dir" -xJf build/gpu-bundle.tar.xz || exit 1
if ! ldconfig -p | grep -q 'libcuda\.so\.1'; then # reports the missing GPU
  sh "$dir/gpu-bundle/run.sh" "$dir/none.jsonl" >"$dir/none.out"
  [ $? = 77 ] && grep -q 'no NVIDIA GPU here' "$dir/none.out" || { echo "failed: a missing GPU is not reported"; exit 1; }
fi
RUN_ON_SIMULATOR=$PWD/build/sim/cuda sh "$dir/gpu-bundle/run.sh" "$dir/rehearsal.jsonl" || exit 1
has() { grep -q "$1" "$dir/rehearsal.jsonl" || { echo "failed: no line with $1"; exit 1; }; }
for t in backend context fault stage; do has "\"kind\":\"test\",\"name\":\"$t\",\"verdict\":\"pass\""; done
has '"kind":"conformance","name":"all","verdict":"pass"'
for t in mpi mpi_far; do
  ! command -v mpiexec.hydra >/dev/null || has "\"kind\":\"conformance\",\"name\":\"$t\",\"verdict\":\"pass\""
done
has '"what":"bare launch through the runtime, to raw","ratio":[0-9]'
has '"what":"process start to the end of the first kernel","ratio":[0-9]'
has '"what":"pinned copy in, bandwidth","ratio":[0-9]'
has '"what":"staged pageable copy out of 64 MiB.*,"ratio":[0-9]'
[ "$(ls build/gpu-bundle/bin | wc -l)" -gt 25 ] || { echo "failed: programs are missing"; exit 1; }
! command -v python3 >/dev/null || python3 -c 'import json, sys
for line in open(sys.argv[1]): json.loads(line)' "$dir/rehearsal.jsonl"
