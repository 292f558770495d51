#!/bin/sh
# Description: forked.c, a whole OpenMP program with embedded CPU images that forks behind its first look for devices, with a
# server of its own and with one that several programs join: forked.sh VARIANT
set -u
variant=$1
server=$PWD/build/$variant/ports/solo-server
llvm=/usr/lib/llvm-19/lib
[ -x "$server" ] || { echo "skipped: no device server was built"; exit 77; }
[ -f $llvm/libomp.so.5 ] || { echo "skipped: no libomp"; exit 77; }
dir=$(mktemp -d)
process=
trap '[ -z "$process" ] || kill -9 $process 2>/dev/null; rm -rf "$dir"' EXIT
fail=0
# the server's CPU code finds libomp in its process; the program itself has no CPU device
printf '#!/bin/sh\nSOLO_HOST_DEVICES=1 LD_PRELOAD=%s exec %s "$@"\n' $llvm/libomp.so.5 "$server" >"$dir/server"
chmod 755 "$dir/server"
cp "build/$variant/solo_test.o" "$dir/solo.o"
ar rcs "$dir/libomptarget.a" "$dir/solo.o"
clang-19 -O1 -g -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu tests/remote/forked.c -o "$dir/forked" \
  "-L$dir" -L$llvm -Wl,-rpath,$llvm -idirafter build/include >"$dir/log" 2>&1 || {
  echo "failed: it is not built"
  cat "$dir/log"
  exit 1
}
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
[ $fail = 0 ] && echo "a child of fork has devices of a server"
exit $fail
