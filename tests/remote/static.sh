#!/bin/sh
# Description: a static musl program runs regions on simulated GPUs through a device server that the program starts, and
# continues without a server.
#   static.sh VARIANT    the server's variant
set -u
[ -f build/lib/musl-remote/libsolo.a ] || { echo "skipped: no musl library was configured"; exit 77; }
server=$PWD/build/$1/ports/solo-server
[ -x "$server" ] || { echo "skipped: no device server was built"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail=0
bad() { echo "failed: $*"; fail=1; }
for kind in cuda hsa; do
  musl-gcc -static -O1 -g -std=gnu11 -I. tests/$kind/test_program.c \
    build/lib/musl-remote/libsolo.a -o "$dir/$kind" || exit 1
  readelf -lW "$dir/$kind" | grep -q INTERP && bad "$kind: the program has an interpreter"
  readelf -dW "$dir/$kind" 2>/dev/null | grep -q NEEDED && bad "$kind: the program needs a library"
done
run() { # run KIND IMAGE CASE
  policy=mandatory
  [ "$3" = crash ] && policy=default
  SOLO_SERVER=$server OMP_TARGET_OFFLOAD=$policy timeout 60 "$dir/$1" "$2" "$3" >"$dir/out" 2>&1 || {
    bad "$1 $3: exit status $?"
    cat "$dir/out"
  }
  ! grep -E 'SUMMARY|Sanitizer:' "$dir/out" || bad "$1 $3: a sanitizer reported an error in the server"
}
calls() { touch "$dir/calls" && awk -v name="$1" '$1 == name { n += $2 } END { print n + 0 }' "$dir/calls"; }
locked() { # locked LOCK UNLOCK [REJECTED]: copies used page-locked memory, which was unlocked
  for _ in $(seq 600); do # the server writes the counts at its end
    locks=$(calls "$1") unlocks=$(calls "$2")
    [ "$locks" -gt 0 ] && [ "$locks" = $((unlocks + ${3:-0})) ] && break
    sleep 0.1
  done
  [ "$locks" -gt 0 ] && [ "$locks" = $((unlocks + ${3:-0})) ] ||
    bad "staging areas: $locks calls of $1, $unlocks of $2, ${3:-0} rejected"
  rm -f "$dir/calls"
}
SIM_COUNT=$dir/calls
export SIM_COUNT
for what in all indirect; do run cuda build/sim/cuda/program.cubin $what; done
locked cuMemHostRegister_v2 cuMemHostUnregister
# not "all", which needs memory that kernel and host share
run hsa build/sim/hsa/program-gfx90a.co cuda
locked hsa_amd_memory_lock hsa_amd_memory_unlock
SIM_FAIL=cuMemHostRegister_v2:1:2 # a driver that cannot lock pages
export SIM_FAIL
run cuda build/sim/cuda/program.cubin all
locked cuMemHostRegister_v2 cuMemHostUnregister 1
unset SIM_COUNT SIM_FAIL
run cuda build/sim/cuda/program.cubin crash
run hsa build/sim/hsa/program-gfx90a.co crash
grep -q 'KERNEL_FAULT\|kernel' "$dir/out" || bad "the fault is not reported: $(cat "$dir/out")"

# without SOLO_SERVER: first a server in the program's folder, then no server (the host executes the regions)
ln "$server" "$dir/solo-server" 2>/dev/null || cp "$server" "$dir/solo-server"
lib=$PWD/build/sim
LD_LIBRARY_PATH=$lib/cuda:$lib/hsa OMP_TARGET_OFFLOAD=mandatory timeout 60 "$dir/cuda" \
  build/sim/cuda/program.cubin survive >"$dir/out" 2>&1 || bad "a server in the program's folder: $(cat "$dir/out")"
rm "$dir/solo-server"
timeout 60 "$dir/cuda" build/sim/cuda/program.cubin survive >"$dir/out" 2>&1 ||
  bad "without a server: $(cat "$dir/out")"
OMP_TARGET_OFFLOAD=mandatory timeout 60 "$dir/cuda" build/sim/cuda/program.cubin survive >"$dir/out" 2>&1 &&
  bad "mandatory and no server: the program continued"
grep -q 'solo-server is not in the program' "$dir/out" || bad "the missing server is not reported: $(cat "$dir/out")"

cp "$server" "$dir/other"
for mode in 4755 757; do
  chmod $mode "$dir/other"
  SOLO_SERVER=$dir/other OMP_TARGET_OFFLOAD=mandatory timeout 60 "$dir/cuda" \
    build/sim/cuda/program.cubin survive >"$dir/out" 2>&1 && bad "mode $mode: the server was started"
  grep -qE 'set-user-ID|can write' "$dir/out" || bad "mode $mode: no reason: $(cat "$dir/out")"
done
[ $fail = 0 ] && echo "static programs run on the devices of their server"
exit $fail
