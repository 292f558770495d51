#!/bin/sh
# Description: the conformance suite against one backend: run.sh VARIANT BACKEND [ARGUMENTS...]
# Skipped when the backend was not chosen by configure.sh.
variant=$1
name=$2
shift 2
program=build/$variant/ports/conformance_$name
[ -x "$program" ] || {
  echo "skipped: backend $name was not configured"
  exit 77
}
# Some cases ask for more memory than there is; some fork so often that a second at each exit is too
# much.
ASAN_OPTIONS=allocator_may_return_null=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}
TSAN_OPTIONS=allocator_may_return_null=1:atexit_sleep_ms=0${TSAN_OPTIONS:+:$TSAN_OPTIONS}
export ASAN_OPTIONS TSAN_OPTIONS
exec "$program" "$@"
