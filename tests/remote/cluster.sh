#!/bin/sh
# Description: examples/cluster.c on 1, 2, 4 and 8 servers with two CPU devices each computes exactly the result of one device.
#   cluster.sh VARIANT
set -u
variant=$1
. tests/remote/lib.sh
make_server "SOLO_HOST_DEVICES=2 OMP_NUM_THREADS=2"
build examples/cluster.c cluster || exit 1
run() { # run SERVERS
  list=$dir/server
  n=1
  while [ $n -lt "$1" ]; do list=$list,$dir/server n=$((n + 1)); done
  SOLO_SERVER=$list SOLO_SERVER_BACKENDS=host SOLO_HOST_DEVICES=0 OMP_TARGET_OFFLOAD=mandatory \
    timeout 60 "$dir/cluster" 130 96 30 >"$dir/log" 2>&1
  rc=$?
  if [ $rc != 0 ] || ! grep -q "devices  *$((2 * $1))\$" "$dir/log" || ! grep -q ': right$' "$dir/log"; then
    echo "failed: $1 servers: exit status $rc"
    cat "$dir/log"
    fail=1
  fi
}
for servers in 1 2 4 8; do run $servers; done
[ $fail = 0 ] && echo "1, 2, 4 and 8 servers compute the result of one device"
exit $fail
