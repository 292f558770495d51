#!/bin/sh
# Description: static C examples for another machine compute correct results under qemu-user; zaxpy with musl has at most
# 180 KiB.   examples.sh HOST
. tests/cross/lib.sh
static_of() { # static_of NAME FILE: checks the machine and that there is no interpreter
  file -b "$2" | grep -q "$(echo "$machine" | sed 's/riscv64/RISC-V/').*static" || bad "$1: $(file -b "$2")"
  "$host-readelf" -lW "$2" | grep -q INTERP && bad "$1 has an interpreter"
}
right() { # right NAME: checks the results and the device
  grep -q ': right$' "$work/$1.out" || bad "$1: wrong result: $(cat "$work/$1.out")"
  grep -q 'on device 0 of 1$' "$work/$1.out" || bad "$1 ran on no device"
}
for source in examples/*.c; do
  case $source in */by_hand.c) continue ;; esac # tested below
  name=$(basename "$source" .c)
  build/bin/solo-cc --host="$host" --static -O2 "$source" -o "$work/$name" -lm || bad "$name does not build"
  static_of "$name" "$work/$name"
  check "$name" timeout 60 $qemu -E OMP_NUM_THREADS=2 "$work/$name"
  right "$name"
done
# an image from a file, built without an offloading compiler
"$host-gcc" -shared -fPIC -O2 -DDEVICE examples/by_hand.c -o "$work/by_hand.image" &&
  "$host-gcc" -O2 -static -isystem build/include examples/by_hand.c -o "$work/by_hand" "build/lib/$host/glibc/libsolo.a" \
    "build/lib/$host/glibc/libsolo_atomic.a" -lpthread -lm || bad "by_hand does not build"
check by_hand timeout 60 $qemu "$work/by_hand" "$work/by_hand.image"
grep -q right "$work/by_hand.out" || bad "by_hand: $(cat "$work/by_hand.out")"
build/bin/solo-cc --host="$host" --static --glibc -O2 examples/zaxpy.c -o "$work/zaxpy-glibc" -lm ||
  bad "zaxpy does not build with glibc"
static_of zaxpy-glibc "$work/zaxpy-glibc"
check zaxpy-glibc timeout 60 $qemu "$work/zaxpy-glibc"
right zaxpy-glibc
build/bin/solo-cc --host="$host" --static -static-pie -O2 examples/zaxpy.c -o "$work/zaxpy-pie" -lm ||
  bad "zaxpy does not build as static-pie"
check zaxpy-pie timeout 60 $qemu "$work/zaxpy-pie"
right zaxpy-pie
"$host-strip" -o "$work/stripped" "$work/zaxpy"
size=$(wc -c <"$work/stripped")
echo "zaxpy: $size bytes stripped"
[ "$size" -le 184320 ] || bad "static musl zaxpy has $size bytes stripped, expected at most 184320"
# atomics: with Armv8.1 instructions, and with exclusive loads and stores
for cpu in cortex-a53 max; do
  check "atomics-$cpu" timeout 60 $qemu -cpu $cpu -E OMP_NUM_THREADS=4 "$work/jacobi"
done
finish
