#!/bin/sh
# Description: static programs and unit tests for another machine work with pages of 16 and 64 KiB, and pass page-aligned
# addresses to system calls.   pages.sh HOST
. tests/cross/lib.sh
[ -n "$page_sizes" ] || { echo "skipped: $machine has one page size"; exit 77; }
build() { # build NAME OPTION...: examples/jacobi.c
  made=$1
  shift
  build/bin/solo-cc --host="$host" "$@" -O2 examples/jacobi.c -o "$work/pages-$made" -lm || bad "$made does not build"
}
build musl --static
build pie --static -static-pie
build glibc --static --glibc
for libc in musl pie glibc; do
  in_pages "pages-$libc" -E OMP_NUM_THREADS=3 -E OMP_STACKSIZE=100K "$work/pages-$libc"
  for size in $page_sizes; do
    grep -q ': right$' "$work/pages-$libc-$size.out" || bad "$libc with pages of $size bytes: wrong result"
  done
  # unlike the kernel, qemu-user accepts segments that share a page
  "$host-readelf" -lW "$work/pages-$libc" | awk '$1 == "LOAD" && $NF != "0x10000" { exit 1 }' ||
    bad "$libc: segments are aligned for smaller pages"
done
for unit in elf host_call hot_path mapping_claim task_memory task_steady fptr_table; do
  in_pages "unit-$unit" "build/$host/check/tests/unit/test_$unit"
done
finish
