#!/bin/sh
# Description: checks that solo-server --hold opens the GPUs of both simulated drivers and ends with a signal, serves programs
# with --listen, and fails without a GPU.
set -u
server=build/$1/ports/solo-server
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail=0
bad() { echo "failed: $*"; cat "$dir/out"; fail=1; }
hold() { # hold LINES OPTION...: starts the server, waits for its output and ends it
  lines=$1
  shift
  SIM_DEVICES=2 "$server" --hold "$@" >"$dir/out" 2>&1 &
  n=0
  until [ "$(wc -l <"$dir/out")" -ge "$lines" ] || [ $n = 300 ]; do sleep 0.1; n=$((n + 1)); done
  kill -0 $! 2>/dev/null || bad "the server has ended"
  kill $!
  wait $!
}
hold 1
grep -qx 'solo-server: holds 4 GPUs open' "$dir/out" || bad "not 4 GPUs"
hold 2 --listen="solo-test-hold-$$"
grep -qx "solo-server: SOLO_SERVER=@solo-test-hold-$$" "$dir/out" || bad "the server does not listen"
SIM_DEVICES=0 timeout 30 "$server" --hold >"$dir/out" 2>&1 && bad "no error without a GPU"
grep -q 'no GPU can be opened' "$dir/out" || bad "no reason without a GPU"
[ $fail = 0 ] && echo "GPUs are held open"
exit $fail
