#!/bin/sh
# Builds a program of this folder in one variant and runs it with 1, 2, 4 and 16 threads.
#   check.sh PROGRAM VARIANT [REPETITIONS]      PROGRAM: parallel (a .c) or cxx (a .cc)
#   VARIANT: <clang>-<libc>[-O0]: 19-musl 22-musl 19-glibc 22-glibc 19-glibc-O0; 19-tsan; 19-kmpc;
#   19-tree: as 19-tsan; teams of two or more threads synchronise over a tree
#   19-wide: as 19-tree; 64 simulated processors enable trees in target regions and leagues
# "Env:" in the source sets variables, "Flags:" compiler flags, "Threads:" the threads.
# Objects that core and host threads share (runtime/sources.list).
base() { for f in assert fewer_threads fork lock log platform settings_core settings_parse settings_threads; do echo "build/$1/runtime/base/$f.o"; done; }
set -eu
cd "$(dirname "$0")/../.."
program=$1 variant=$2 repetitions=${3:-1}
clang=${variant%%-*}
rest=${variant#*-}
kind=${rest%%-*}
level=-O2
case $rest in *-O0) level=-O0 ;; esac
source=tests/kmpc/$program.c
cc=clang-$clang
[ -f "$source" ] || { source=tests/kmpc/$program.cc cc=clang++-$clang; }
command -v "$cc" >/dev/null || { echo "skipped: no $cc"; exit 77; }
out=${KMPC_OUT:-build/tests/kmpc}/$program.$variant
mkdir -p "${out%/*}"
flags=$(sed -n 's/^.*Flags: *\(.*[^ */]\).*$/\1/p' "$source" | head -n 1)
env=$(sed -n 's/^.*Env: *\(.*[^ */]\).*$/\1/p' "$source" | head -n 1)
common="$level -g -fopenmp -Wall -isystem build/include -I. $flags"
case $kind in
musl)
  $cc --target=x86_64-linux-musl -nostdlibinc -isystem /usr/include/x86_64-linux-musl $common \
    -c "$source" -o "$out.o"
  musl-gcc -static "$out.o" build/lib/musl/libsolo.a build/lib/musl/libsolo_atomic.a -o "$out"
  ;;
glibc)
  $cc $common -c "$source" -o "$out.o"
  case $source in
  *.cc) g++ -static "$out.o" build/lib/glibc/libsolo.a build/lib/glibc/libsolo_atomic.a -o "$out" ;;
  *) gcc -static "$out.o" build/lib/glibc/libsolo.a build/lib/glibc/libsolo_atomic.a -lm -o "$out" ;;
  esac
  ;;
tsan | tree | wide)
  $cc $common -O1 -fsanitize=thread -c "$source" -o "$out.o"
  wide=
  [ "$kind" != wide ] || wide=$out.wide.o
  [ -z "$wide" ] || $cc -O1 -I. -c tests/kmpc/wide.c -o "$wide"
  $cc -fsanitize=thread -fuse-ld=lld "$out.o" $wide build/tsan/libkmpc.a build/tsan/abi/kmpc/atomic_any.o \
    $(base tsan) -lm -o "$out"
  ;;
kmpc) # for programs that call internal functions
  $cc $common -c "$source" -o "$out.o"
  $cc "$out.o" build/check/libkmpc.a build/check/abi/kmpc/atomic_any.o \
    $(base check) -lm -o "$out"
  ;;
libomp)
  $cc $common -c "$source" -o "$out.o"
  $cc "$out.o" -L/usr/lib/llvm-19/lib -Wl,-rpath,/usr/lib/llvm-19/lib -lomp -lm -o "$out"
  ;;
*) echo "check.sh: unknown variant $variant" >&2; exit 2 ;;
esac
# symbols.sh links all names of symbols.txt
new=$(nm -u "$out.o" | awk 'FNR == NR {known[$1]; next}
  $NF ~ /^(__kmpc|ompc?_|kmp_|ompx_)/ && !($NF in known) {print $NF}' tests/kmpc/symbols.txt -)
[ -z "$new" ] || { echo "failed: missing in tests/kmpc/symbols.txt:" $new; exit 1; }
case $kind in tree | wide) env="$env SOLO_TREE_ABOVE=1 SOLO_TREE_WIDTH=2" ;; esac
counts=$(sed -n 's/^.*Threads: *\([0-9 ]*[0-9]\).*$/\1/p' "$source" | head -n 1)
case $kind$repetitions in wide1) counts=${counts:-2 8} ;; esac
for threads in ${counts:-1 2 4 16}; do
  i=0
  while [ $i -lt "$repetitions" ]; do
    i=$((i + 1))
    env OMP_NUM_THREADS=$threads TSAN_OPTIONS="halt_on_error=1 history_size=4 atexit_sleep_ms=50" $env "$out" ||
      { echo "failed: $program.$variant with $threads threads, repetition $i: status $?"; exit 1; }
  done
done
