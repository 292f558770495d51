#!/bin/sh
# Description: the conformance suite through OffloadAPI.h. Usage: conformance.sh VARIANT PLATFORM; virtual GPUs have a target
# (simt-gfx90a)
variant=$1
case $2 in
simt-gfx90a) OVER_PLATFORM=simt SIMT_TARGET=gfx90a CONF_SIMT=build/sim/simt/conf-gfx90a.image ;;
*) OVER_PLATFORM=${2%-sm_90} SIMT_TARGET=sm_90 CONF_SIMT=build/sim/simt/conf.image ;;
esac
export OVER_PLATFORM SIMT_TARGET CONF_SIMT
# a device server of the same variant
case $2 in remote-*) export SOLO_SERVER="$PWD/build/$variant/ports/solo-server" ;; esac
ASAN_OPTIONS=allocator_may_return_null=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}
TSAN_OPTIONS=${TSAN_OPTIONS:+$TSAN_OPTIONS:}allocator_may_return_null=1:atexit_sleep_ms=0
export ASAN_OPTIONS TSAN_OPTIONS
exec "build/$variant/tests/offload/conformance" 'memory/*' 'queue/*' 'event/*' 'module/*' 'launch/*'
