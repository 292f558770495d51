#!/bin/sh
# Description: builds the GPU bundle and runs it on the simulated driver (without the programs, whose
# device code only a GPU runs).
set -u
. tests/cuda/toolkit.sh
[ -n "$toolkit" ] || { echo "skipped: no CUDA toolkit (ptxas, libdevice) on this machine"; exit 77; }
ninja gpu-bundle || exit 1
RUN_ON_SIMULATOR=$PWD/build/sim/cuda sh build/gpu-bundle/run.sh rehearsal.jsonl || exit 1
grep -q '"kind":"test","name":"backend","verdict":"pass"' build/gpu-bundle/rehearsal.jsonl || exit 1
[ "$(ls build/gpu-bundle/bin | wc -l)" -gt 15 ]
