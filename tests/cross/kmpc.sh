#!/bin/sh
# Description: the static programs of tests/kmpc run for another machine with 4 threads under qemu-user.   kmpc.sh HOST musl|glibc
. tests/cross/lib.sh
libc=$2
lib=build/lib/$host/$libc
built=build/sysroot/$host/musl # by ports/cross/musl.sh, if Debian has none
if [ -d "$built" ]; then musl_include=$built/include musl_cc=$built/bin/musl-gcc
else musl_include=/usr/include/$machine-linux-musl musl_cc=$machine-linux-musl-gcc; fi
# Excluded: programs that use threads after fork(2) in qemu-user 7.2, count pages, execute themselves, need internal or
# wrapped functions, or are no tests.
for source in tests/kmpc/*.c; do
  name=$(basename "$source" .c)
  case $name in threads | wait_stress | barrier_passive | reduce_late | env_report | gpu_shape | share | wide) continue ;; esac
  flags=$(sed -n 's/^.*Flags: *\(.*[^ */]\).*$/\1/p' "$source" | head -n 1)
  env=$(sed -n 's/^.*Env: *\(.*[^ */]\).*$/\1/p' "$source" | head -n 1)
  program=$work/kmpc-$name.$libc
  common="-O2 -fopenmp -w -isystem build/include -I. $flags"
  case $libc in
  musl)
    clang-19 --target="$machine-linux-musl" -nostdlibinc -isystem "$musl_include" $common \
      -c "$source" -o "$program.o"
    "$musl_cc" -static "$program.o" "$lib/libsolo.a" "$lib/libsolo_atomic.a" -o "$program"
    ;;
  glibc)
    clang-19 --target="$host" $common -c "$source" -o "$program.o"
    "$host-gcc" -static "$program.o" "$lib/libsolo.a" "$lib/libsolo_atomic.a" -lm -o "$program"
    ;;
  esac || { bad "$name does not build"; continue; }
  check "kmpc-$name.$libc" env OMP_NUM_THREADS=4 $env timeout 60 $qemu "$program"
done
finish
