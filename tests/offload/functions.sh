#!/bin/sh
# Description: test_functions on each platform of OffloadAPI.h. Usage: functions.sh VARIANT
variant=$1
fail=0
unset SOLO_SERVER SOLO_SERVER_BACKENDS
for column in host cuda hsa simt-sm_90 simt-gfx90a remote-host remote-cuda remote-hsa remote-simt; do
  target=sm_90
  case $column in
  *host) image=build/sim/conf_kernels.so ;;
  *cuda) image=build/sim/cuda/conf-sm90.cubin ;;
  *hsa) image=build/sim/hsa/conf-gfx90a.co ;;
  *gfx90a) image=build/sim/simt/conf-gfx90a.image target=gfx90a ;;
  *) image=build/sim/simt/conf.image ;;
  esac
  case $column in
  remote-*) export SOLO_SERVER="$PWD/build/$variant/ports/solo-server" SOLO_SERVER_BACKENDS="${column#remote-}" ;;
  esac
  OFFLOAD_COLUMN=$column SIMT_TARGET=$target "build/$variant/tests/offload/test_functions" $column $image ||
    { echo "FAILED: $column"; fail=1; }
done
exit $fail
