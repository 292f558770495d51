#!/bin/sh
# Description: the conformance suite against one backend: run.sh VARIANT BACKEND [ARGUMENTS...]
variant=$1
name=$2
shift 2
program=build/$variant/ports/conformance_$name
[ -x "$program" ] || {
  echo "skipped: backend $name was not configured"
  exit 77
}
# Cases that allocate too much memory expect NULL. Cases fork often, so exits must not pause.
ASAN_OPTIONS=allocator_may_return_null=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}
TSAN_OPTIONS=${TSAN_OPTIONS:+$TSAN_OPTIONS:}allocator_may_return_null=1:atexit_sleep_ms=0
export ASAN_OPTIONS TSAN_OPTIONS
exec "$program" "$@"
