#!/bin/sh
# Description: memory, queue, event, module and launch cases of the conformance suite (ports/conformance) through
# OffloadAPI.h. Usage: conformance.sh VARIANT PLATFORM
variant=$1
export OVER_PLATFORM="$2" SIMT_TARGET=sm_90
ASAN_OPTIONS=allocator_may_return_null=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}
TSAN_OPTIONS=allocator_may_return_null=1:atexit_sleep_ms=0${TSAN_OPTIONS:+:$TSAN_OPTIONS}
export ASAN_OPTIONS TSAN_OPTIONS
exec "build/$variant/tests/offload/conformance" 'memory/*' 'queue/*' 'event/*' 'module/*' 'launch/*'
