#!/bin/sh
# Description: programs of tests/programs, dynamic and with embedded CPU images, run their regions in
# a device server of variant %v: programs.sh VARIANT NAME... | all
set -u
. tests/remote/programs_of.sh
variant=$1
shift
server=$PWD/build/$variant/ports/solo-server
llvm=/usr/lib/llvm-19/lib
[ -x "$server" ] || { echo "skipped: no device server was built"; exit 77; }
[ -f $llvm/libomp.so.5 ] || { echo "skipped: no libomp"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# the server's CPU code finds libomp in its process; the program itself has no CPU device
printf '#!/bin/sh\nSOLO_HOST_DEVICES=1 LD_PRELOAD=%s exec %s "$@"\n' $llvm/libomp.so.5 "$server" >"$dir/server"
chmod 755 "$dir/server"
cp "build/$variant/solo_test.o" "$dir/solo.o"
ar rcs "$dir/libomptarget.a" "$dir/solo.o"
fail=0
sources=$(programs_of shm "$@") || exit 1
for source in $sources; do
  name=$(basename "$source")
  $(compiler_of "$source" 19) -O1 -g -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu "$source" -o "$dir/$name" \
    "-L$dir" -L$llvm -Wl,-rpath,$llvm -idirafter build/include -lm >"$dir/log" 2>&1 || {
    echo "failed: $name is not built"
    cat "$dir/log"
    fail=1
    continue
  }
  SOLO_SERVER=$dir/server SOLO_SERVER_BACKENDS=host SOLO_HOST_DEVICES=0 OMP_TARGET_OFFLOAD=mandatory \
    OMP_NUM_THREADS=4 timeout 90 "$dir/$name" >"$dir/log" 2>&1 || {
    echo "failed: $name: exit status $?"
    tail -5 "$dir/log"
    fail=1
  }
done
[ $fail = 0 ] && echo "$(echo "$sources" | wc -l) programs run in a device server"
exit $fail
