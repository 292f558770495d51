#!/bin/sh
# Description: non-contiguous updates with offsets that compilers do not pass. With -g they are correct, because the text that
# describes the variable contains the steps. A step that is a variable is rejected. Without -g the runtime warns.
name=ways_sections
. tests/tools/lib.sh
source=$tree/../tests/ways/programs/sections.c
flags='-fopenmp-version=52 -Wno-openmp-mapping'
quiet() { checks=$((checks + 1)); [ ! -s errors ] || { fail "$1: unexpected warning:"; cat errors; }; }
warns() { checks=$((checks + 1)); grep -q "$2" errors || { fail "$1: no warning: $2"; cat errors; }; }
for v in 19 22; do
  works $cc --static --clang=clang-$v -g $flags "$source" -o g$v || continue
  checks=$((checks + 1))
  ./g$v >out 2>errors && [ "$(cat out)" = '0 wrong' ] || { fail "clang-$v -g"; cat out; }
  quiet "clang-$v -g"
  for step in 1 k; do
    ./g$v $step >out 2>errors && fail "clang-$v -g: a step in a variable is not refused"
    warns "clang-$v -g, a step in a variable" 'update of .*a\[1:3:k\].*the step of a subscript is not a constant'
  done
  works $cc --static --clang=clang-$v $flags "$source" -o n$v || continue
  ./n$v >out 2>errors
  warns "clang-$v without -g" 'because the compiler does not pass the step'
  count 1 'warnings without names' sh -c 'grep -c non-contiguous errors'
done
done_testing
