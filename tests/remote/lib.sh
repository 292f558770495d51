# Sourced by tests of whole programs on a device server, after they set variant. Sets server, llvm and dir, a temporary
# folder. At exit, kills the process with number $process.
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

# make_server SETTINGS: makes $dir/server, a server with libomp for its CPU code.
make_server() {
  printf '#!/bin/sh\n%s LD_PRELOAD=%s exec %s "$@"\n' "$1" $llvm/libomp.so.5 "$server" >"$dir/server"
  chmod 755 "$dir/server"
}

# build SOURCE NAME [COMPILER]: makes $dir/NAME with CPU images, libomp and the variant's library
build() {
  ${3:-clang-19} -O1 -g -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu "$1" -o "$dir/$2" \
    "-L$dir" -L$llvm -Wl,-rpath,$llvm -idirafter build/include -lm >"$dir/log" 2>&1 && return
  echo "failed: cannot build $2"
  cat "$dir/log"
  return 1
}
