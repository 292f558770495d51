#!/bin/sh
# Description: programs with threadprivate variables and copyin clauses link and work in every form. Clang writes
# the device, too, how a thread finds such a variable, which only the host has; nothing there uses it.
name=ways_threadprivate
. tests/tools/lib.sh
source=$tree/../tests/ways/programs/threadprivate.c
ln -sf "$source" threadprivate.cc
for target in '' -DWITH_TARGET; do
  # three threads with copies: 15 in C, 39 in C++; then the main thread's 0, the others' 5 or 13
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
