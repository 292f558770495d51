#!/bin/sh
# Description: programs with threadprivate variables and copyin clauses link and work in each form, although Clang emits the
# host's access functions for the device too.
name=ways_threadprivate
. tests/tools/lib.sh
source=$tree/../tests/ways/programs/threadprivate.c
ln -sf "$source" threadprivate.cc
for target in '' -DWITH_TARGET; do
  # sums: 15 (C) or 39 (C++) for three copies, 0 for the main thread, 5 or 13 for each other thread
  in_c=25 in_cxx=65
  [ -z "$target" ] || in_c=125 in_cxx=165
  for form in '--static --musl' '--static --glibc' '--static -O2' '-O2' '--targets=host,sm_90' '--device-link=solo'; do
    works $cc $form $target "$source" -o p && says "sum $in_c" ./p
  done
  for form in --static -O2; do
    works $cc --clang=clang-22 $form $target "$source" -o p && says "sum $in_c" ./p
  done
  for form in --static -O2; do
    works $cxx $form $target threadprivate.cc -o p && says "sum $in_cxx" ./p
  done
done
done_testing
