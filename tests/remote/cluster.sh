#!/bin/sh
# Description: examples/cluster.c on the CPU devices of 1, 2, 4 and 8 servers with two devices each: as on
# one device, bit by bit.
#   cluster.sh VARIANT
set -u
variant=$1
server=$PWD/build/$variant/ports/solo-server
llvm=/usr/lib/llvm-19/lib
[ -x "$server" ] || { echo "skipped: no device server was built"; exit 77; }
[ -f $llvm/libomp.so.5 ] || { echo "skipped: no libomp"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail=0
# the server's CPU code finds libomp in its process; the program itself has no CPU device
printf '#!/bin/sh\nSOLO_HOST_DEVICES=2 OMP_NUM_THREADS=2 LD_PRELOAD=%s exec %s "$@"\n' $llvm/libomp.so.5 "$server" >"$dir/server"
chmod 755 "$dir/server"
cp "build/$variant/solo_test.o" "$dir/solo.o"
ar rcs "$dir/libomptarget.a" "$dir/solo.o"
clang-19 -O1 -g -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu examples/cluster.c -o "$dir/cluster" \
  "-L$dir" -L$llvm -Wl,-rpath,$llvm -idirafter build/include >"$dir/log" 2>&1 || {
  echo "failed: it is not built"
  cat "$dir/log"
  exit 1
}
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
[ $fail = 0 ] && echo "1, 2, 4 and 8 servers compute what one device does"
exit $fail
