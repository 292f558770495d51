#!/bin/sh
# Description: static programs of tests/programs work for another machine under qemu-user.   programs.sh HOST CLANG LIBC
. tests/cross/lib.sh
clang=$2 libc=$3
command -v "$clang" >/dev/null || { echo "skipped: no $clang"; exit 77; }
# fork.c: qemu-user 7.2 loses its threads in fork(2)
programs='api context globals hold_close indirect indirect_mapped large_range last map_again map_basic map_mapper map_struct
  map_update mapper_handle nowait private regions tasks threads use_device usm'
level=-O2
[ "$libc" = musl ] || { programs='map_struct nowait regions tasks threads' level=-O0; }
for name in $programs; do
  program=$work/$name.$clang.$libc
  build/bin/solo-cc --host="$host" --clang="$clang" --static "--$libc" -g $level "tests/programs/$name.c" \
    -o "$program" -lm || bad "$name does not build"
  check "$name.$clang.$libc" timeout 60 $qemu -E OMP_TARGET_OFFLOAD=mandatory -E OMP_NUM_THREADS=4 "$program"
done
if [ "$libc" = glibc ]; then # C++
  for name in lambda use_device_member virtual; do
    options=
    [ $name != virtual ] || options='-fopenmp-version=52 -Wno-openmp-mapping'
    program=$work/$name.$clang
    build/bin/solo-c++ --host="$host" --clang="$clang" --static -O2 $options "tests/programs/$name.cpp" -o "$program" ||
      bad "$name does not build"
    check "$name.$clang" timeout 60 $qemu -E OMP_TARGET_OFFLOAD=mandatory -E OMP_NUM_THREADS=4 "$program"
  done
fi
finish
