#!/bin/sh
# Description: servers that die and come back (test_comeback.c), and in between, while none dies, examples/cluster.c over all of
# their devices: comeback.sh VARIANT SECONDS. (The example's servers need libomp in their processes, which goes
# with no sanitizer: there it is left out.)
set -u
variant=$1 seconds=$2
server=$PWD/build/$variant/ports/solo-server
llvm=/usr/lib/llvm-19/lib
[ -x "$server" ] || { echo "skipped: no device server was built"; exit 77; }
[ "$variant" = check ] && [ -f $llvm/libomp.so.5 ] || exec "build/$variant/tests/remote/test_comeback" "$server" "$seconds"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
printf '#!/bin/sh\nOMP_NUM_THREADS=1 LD_PRELOAD=%s exec %s "$@"\n' $llvm/libomp.so.5 "$server" >"$dir/server"
chmod 755 "$dir/server"
cp "build/$variant/solo_test.o" "$dir/solo.o"
ar rcs "$dir/libomptarget.a" "$dir/solo.o"
clang-19 -O1 -g -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu examples/cluster.c -o "$dir/cluster" \
  "-L$dir" -L$llvm -Wl,-rpath,$llvm -idirafter build/include >"$dir/log" 2>&1 || {
  echo "failed: it is not built"
  cat "$dir/log"
  exit 1
}
"build/$variant/tests/remote/test_comeback" "$dir/server" "$seconds" "$dir/cluster"
