#!/bin/sh
# Description: a server without memory for a program rejects the program with the reason, continues and leaks nothing.
#   no_memory.sh VARIANT
set -u
server=$PWD/build/$1/ports/solo-server
[ -x "$server" ] || { echo "skipped: no device server was built"; exit 77; }
dir=$(mktemp -d)
name=solo-test-refused-$$
fail=0
bad() { echo "failed: $*"; fail=1; }
# enough for the server, but not for the 273 MiB of address space of a connection
(ulimit -v 300000 && exec "$server" --listen=$name) >"$dir/server" 2>&1 &
process=$!
trap 'kill $process 2>/dev/null; wait; rm -rf "$dir"' EXIT
n=0
until grep -q "@$name" "$dir/server" || [ $n = 600 ]; do sleep 0.1; n=$((n + 1)); done
before=$(find /proc/$process/fd | wc -l)
for round in 1 2 3; do
  SOLO_SERVER=@$name SOLO_SERVER_BACKENDS=cuda timeout 60 build/bin/solo-info >"$dir/out" 2>&1
  grep -q 'remote-cuda no device: .*refuses: cannot map the program' "$dir/out" || {
    bad "round $round: the rejection has no reason"
    cat "$dir/out"
  }
done
kill -0 $process || bad "the server has ended"
n=0
until [ "$(find /proc/$process/fd | wc -l)" -le "$before" ] || [ $n = 600 ]; do sleep 0.1; n=$((n + 1)); done
[ $n != 600 ] || bad "the server leaks descriptors of rejected programs"
for n in abc -1 '' 1x 99999999999; do # invalid numbers are rejected
  timeout 60 "$server" --listen=$name-$n --clients=$n >"$dir/out" 2>&1
  [ $? = 1 ] || bad "--clients=$n is accepted"
  grep -q -e "--clients=$n: not a number" "$dir/out" || bad "--clients=$n: $(cat "$dir/out")"
  timeout 60 "$server" --fd=$n >"$dir/out" 2>&1 && bad "--fd=$n is accepted"
  grep -q -e "--fd=$n: not a number" "$dir/out" || bad "--fd=$n: $(cat "$dir/out")"
done
[ $fail = 0 ] && echo "a server without memory reports the reason"
exit $fail
