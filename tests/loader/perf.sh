#!/bin/sh
# Description: SOLO_PERF_MAP=1 writes perf's map with an image's functions. Arguments: program, folder of images.
set -u
sh -c 'echo $$ >"$3"; exec "$1" "$2" backtrace' sh "$1" "$2" build/test-logs/perf.pid || exit 1
pid=$(cat build/test-logs/perf.pid)
[ ! -e "/tmp/perf-$pid.map" ] || { echo "perf map exists without SOLO_PERF_MAP"; exit 1; }
SOLO_PERF_MAP=1 sh -c 'echo $$ >"$3"; exec "$1" "$2" backtrace' sh "$1" "$2" build/test-logs/perf.pid ||
  exit 1
pid=$(cat build/test-logs/perf.pid)
grep -Eq '^[0-9a-f]+ [0-9a-f]+ outer_kernel \[device 0\]$' "/tmp/perf-$pid.map"
rc=$?
rm -f "/tmp/perf-$pid.map"
exit $rc
