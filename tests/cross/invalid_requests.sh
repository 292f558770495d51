#!/bin/sh
# Description: solo-cc and solo-link report invalid requests for another machine.   invalid_requests.sh HOST
. tests/cross/lib.sh
work=$work/wrong
mkdir -p "$work"
cat >"$work/main.c" <<'END'
int main(void) {
  int wrong = 1;
#pragma omp target map(from : wrong)
  wrong = 0;
  return wrong;
}
END
cc="build/bin/solo-cc $work/main.c -o $work/none"
says() { # says TEXT COMMAND...: checks failure and message
  words=$1
  shift
  "$@" >"$work/said" 2>&1 && bad "no failure: $*"
  grep -qF -e "$words" "$work/said" || bad "$*: $(head -n 3 "$work/said")"
}
says 'use one of x86_64-linux-gnu, aarch64-linux-gnu' $cc --host=sparc64-linux-gnu --static
says 'use one of x86_64-linux-gnu, aarch64-linux-gnu' $cc --host="$machine" --static
says 'use one of x86_64-linux-gnu, aarch64-linux-gnu' $cc --host="$machine-apple-darwin" --static
says 'select the C library with --musl or --glibc' $cc --host="$machine-linux-musl" --static
says 'the folder does not exist' $cc --host="$host" --static --sysroot="$work/nowhere"
says 'the folder does not exist' $cc --host="$host" --static --sysroot "$work/nowhere"
says 'the folder has no lib/libc.a' env SOLO_MUSL="$work/nowhere" $cc --host="$host" --static
says "libomp.so" $cc --host="$host"
says "--remote is not supported for $machine" $cc --host="$host" --static --remote
says 'requires x86-64' $cc --host="$host" --targets=simt-sm_90
# the same machine, with a vendor in its name
check vendor build/bin/solo-cc "$work/main.c" -o "$work/vendor" --host="$machine-unknown-linux-gnu" --static
check vendor-runs $qemu "$work/vendor"
# objects of two machines
build/bin/solo-cc --static -c "$work/main.c" -o "$work/here.o"
build/bin/solo-cc --host="$host" --static -c "$work/main.c" -o "$work/there.o"
says "here.o is for $(uname -m), but the link is for $machine" \
  build/bin/solo-cc --host="$host" --static "$work/here.o" -o "$work/none"
says "there.o is for $machine, but the link is for $(uname -m)" \
  build/bin/solo-cc --static "$work/there.o" -o "$work/none"
[ ! -e "$work/none" ] || bad "a program was linked"
finish
