#!/bin/sh
# Description: runs forked.c with a server that the program starts and with a shared server.
#   forked.sh VARIANT
set -u
variant=$1
. tests/remote/lib.sh
make_server SOLO_HOST_DEVICES=1
build tests/remote/forked.c forked || exit 1
name=solo-forked-$$
"$dir/server" --listen=$name >"$dir/listens" 2>&1 &
process=$!
n=0
until grep -q "@$name" "$dir/listens" || [ $n = 600 ]; do sleep 0.1; n=$((n + 1)); done
for given in "$dir/server" "@$name"; do
  SOLO_SERVER=$given SOLO_SERVER_BACKENDS=host SOLO_HOST_DEVICES=0 OMP_TARGET_OFFLOAD=mandatory OMP_NUM_THREADS=2 \
    timeout 100 "$dir/forked" >"$dir/log" 2>&1 || {
    echo "failed: SOLO_SERVER=$given: exit status $?"
    cat "$dir/log"
    fail=1
  }
done
[ $fail = 0 ] && echo "a child of fork uses a server's devices"
exit $fail
