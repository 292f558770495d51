#!/bin/sh
# Description: a server frees all resources of a killed program in a simulated driver before it ends, and leaks no memory.
#   freed.sh VARIANT
set -u
server=$PWD/build/$1/ports/solo-server
holder=build/$1/tests/remote/holder
[ -x "$server" ] || { echo "skipped: no device server was built"; exit 77; }
dir=$(mktemp -d)
program=
trap '[ -z "$program" ] || kill -9 $program 2>/dev/null; rm -rf "$dir"' EXIT
fail=0
bad() { echo "failed: $*"; cat "$dir/out" "$dir/err"; fail=1; }
calls() { awk -v name="$1" '$1 == name { n += $2 } END { print n + 0 }' "$dir/calls"; }
# variables of the server only
printf '#!/bin/sh\nSIM_COUNT=%s SIM_LEAKS=1 exec %s "$@"\n' "$dir/calls" "$server" >"$dir/server"
chmod 755 "$dir/server"
try() { # try KIND IMAGE ALLOCATING FREEING
  rm -f "$dir/calls"
  : >"$dir/out"
  SOLO_SERVER=$dir/server "$holder" "$1" "$2" >"$dir/out" 2>"$dir/err" &
  program=$!
  n=0
  until grep -q held "$dir/out" || [ $n = 600 ]; do sleep 0.1; n=$((n + 1)); done
  [ $n != 600 ] || bad "$1: holder did not allocate its resources"
  kill -9 $program
  wait $program 2>/dev/null
  program=
  n=0
  until [ -s "$dir/calls" ] || [ $n = 600 ]; do sleep 0.1; n=$((n + 1)); done
  [ -s "$dir/calls" ] || bad "$1: the server wrote no call counts"
  # the server prints its leaks after the counts, and LeakSanitizer's report follows
  while grep -qsF "SIM_COUNT=$dir/calls" /proc/[0-9]*/environ && [ $n -lt 600 ]; do sleep 0.1; n=$((n + 1)); done
  [ $n -lt 600 ] || bad "$1: the server is still running"
  [ "$(calls "$3")" -ge 4 ] || bad "$1: $(calls "$3") calls of $3, expected at least 4"
  [ "$(calls "$3")" = "$(calls "$4")" ] || bad "$1: $(calls "$3") calls of $3, but $(calls "$4") of $4"
  ! grep -E 'sim: (leak|violation)|Sanitizer' "$dir/err" >/dev/null || bad "$1: leaks or violations"
}
try cuda build/sim/cuda/conf-sm90.cubin cuMemAlloc_v2 cuMemFree_v2
try hsa build/sim/hsa/conf-gfx90a.co hsa_amd_memory_pool_allocate hsa_amd_memory_pool_free
[ $fail = 0 ] && echo "the server frees all resources of a killed program"
exit $fail
