#!/bin/sh
# Description: solo-info shows the host, server and driver of each device, the reason for a missing server, and
# device ids that are stable.
#   info.sh VARIANT     the servers' variant
set -u
server=$PWD/build/$1/ports/solo-server
[ -x "$server" ] || { echo "skipped: no device server was built"; exit 77; }
dir=$(mktemp -d)
fail=0
bad() { echo "failed: $*"; fail=1; }
name=solo-test-info-$$
SIM_DEVICES=2 "$server" --listen=$name-a >"$dir/a" 2>&1 &
a=$!
SIM_DEVICES=2 "$server" --listen=$name-b >"$dir/b" 2>&1 &
b=$!
trap 'kill $a $b 2>/dev/null; wait; rm -rf "$dir"' EXIT
for s in a b; do
  n=0
  until [ -s "$dir/$s" ] || [ $n = 600 ]; do sleep 0.1; n=$((n + 1)); done
done
list=@$name-a,@$name-nobody,@$name-b
info() { SOLO_SERVER=$list SOLO_SERVER_BACKENDS=cuda timeout 60 build/bin/solo-info "$@"; }
info >"$dir/out" 2>"$dir/err" || bad "exit status $?"
host=$(uname -n)
has() { grep -qF -- "$1" "$dir/$2" || { bad "missing in the output: $1"; cat "$dir/$2"; }; }
has 'remote-cuda 4 devices' out
has "device server @$name-a on $host, process $a, driver cuda" out
has "device server @$name-b on $host, process $b, driver cuda" out
has "missing: device server @$name-nobody: SOLO_SERVER=@$name-nobody: no device server of that name" out
has "device server @$name-nobody is skipped" err
grep '^    uid' "$dir/out" >"$dir/uids"
[ "$(sort -u "$dir/uids" | grep -c "$host")" -ge 4 ] || bad "not 4 different ids: $(cat "$dir/uids")"
info 2>/dev/null | grep '^    uid' | cmp -s - "$dir/uids" || bad "the ids differ the second time"
SOLO_SERVER= SOLO_SERVER_BACKENDS= build/bin/solo-info | grep -q remote- && bad "an empty SOLO_SERVER uses a server"
[ $fail = 0 ] && echo "solo-info shows the location of devices"
exit $fail
