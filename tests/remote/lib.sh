# Whole programs over a device server of a variant. Sourced by the tests here, which have set variant; sets server, llvm and
# dir, a folder that goes when the test ends, as does the process whose number the test puts in process.
server=$PWD/build/$variant/ports/solo-server
llvm=/usr/lib/llvm-19/lib
[ -x "$server" ] || { echo "skipped: no device server was built"; exit 77; }
[ -f $llvm/libomp.so.5 ] || { echo "skipped: no libomp"; exit 77; }
dir=$(mktemp -d)
process=
trap '[ -z "$process" ] || kill -9 $process 2>/dev/null; rm -rf "$dir"' EXIT
fail=0
cp "build/$variant/solo_test.o" "$dir/solo.o"
ar rcs "$dir/libomptarget.a" "$dir/solo.o"

# make_server SETTINGS: $dir/server, in whose process its CPU code finds libomp. (A program that uses it has no CPU device itself.)
make_server() {
  printf '#!/bin/sh\n%s LD_PRELOAD=%s exec %s "$@"\n' "$1" $llvm/libomp.so.5 "$server" >"$dir/server"
  chmod 755 "$dir/server"
}

# build SOURCE NAME [COMPILER]: $dir/NAME, with CPU images, over libomp and the variant's library
build() {
  ${3:-clang-19} -O1 -g -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu "$1" -o "$dir/$2" \
    "-L$dir" -L$llvm -Wl,-rpath,$llvm -idirafter build/include -lm >"$dir/log" 2>&1 && return
  echo "failed: $2 is not built"
  cat "$dir/log"
  return 1
}
