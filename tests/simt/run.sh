#!/bin/sh
# Runs a program built by build.sh on the virtual GPU, offloading mandatory.
#   run.sh TARGET PROGRAM [ARGUMENT...]
target=$1
shift
case $target in
gfx90a) agent=gfx90a:sramecc+:xnack- ;;
*) agent=$target ;;
esac
# The device is these processors: a thread that looks for 2 ms whether it is done takes them from it.
[ "${SOLO_SPIN_US+set}" ] || export SOLO_SPIN_US=50
number=${target#sm_}
[ "$number" = "$target" ] && number=90
SIM_HSA_AGENT=$agent SIM_CUDA_ARCH=$number OMP_TARGET_OFFLOAD=mandatory \
  OMP_NUM_THREADS=4 timeout "${SIMT_SECONDS:-300}" "$@"
