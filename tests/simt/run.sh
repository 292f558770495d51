#!/bin/sh
# Runs a program of build.sh with mandatory offload.
#   run.sh TARGET PROGRAM [ARGUMENT...]
target=$1
shift
case $target in
gfx90a) agent=gfx90a:sramecc+:xnack- ;;
*) agent=$target ;;
esac
# Polling would slow the device, which runs on these processors.
[ "${SOLO_SPIN_US+set}" ] || export SOLO_SPIN_US=50
number=${target#sm_}
[ "$number" = "$target" ] && number=90
SIM_HSA_AGENT=$agent SIM_CUDA_ARCH=$number OMP_TARGET_OFFLOAD=mandatory \
  OMP_NUM_THREADS=4 timeout "${SIMT_SECONDS:-300}" "$@"
