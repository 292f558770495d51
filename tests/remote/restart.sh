#!/bin/sh
# Description: runs test_restart.c, which kills and restarts servers. Without a sanitizer, the test also runs
# examples/cluster.c, which uses libomp (libomp does not support sanitizers).
#   restart.sh VARIANT SECONDS
set -u
variant=$1 seconds=$2
server=$PWD/build/$variant/ports/solo-server
llvm=/usr/lib/llvm-19/lib
[ -x "$server" ] || { echo "skipped: no device server was built"; exit 77; }
[ "$variant" = check ] && [ -f $llvm/libomp.so.5 ] || exec "build/$variant/tests/remote/test_comeback" "$server" "$seconds"
. tests/remote/lib.sh
make_server OMP_NUM_THREADS=1
build examples/cluster.c cluster || exit 1
"build/$variant/tests/remote/test_comeback" "$dir/server" "$seconds" "$dir/cluster"
