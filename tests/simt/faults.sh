#!/bin/sh
# Description: mistakes in kernels that the virtual GPU tells, each with the source line that is marked
# "here", and nothing of the line that is marked "not here".
set -u
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
[ -f /usr/lib/llvm-19/lib/libomptarget-nvptx-sm_90.bc ] || { echo "skipped: no device runtime"; exit 77; }
[ -f build/lib/glibc/libomptarget.a ] || { echo "skipped: no glibc library was configured"; exit 77; }
dir=build/simt/faults
mkdir -p $dir
SIMT_DEVICE=$dir/device
export SIMT_DEVICE
sh backends/simt/translate.sh -p $SIMT_DEVICE || exit 1
fail=0
expect() { # expect <program> <races> <exit status> <words>
  source=tests/simt/faults/$1.c
  SIMT_RACES=$2 sh tests/simt/build.sh sm_90 19 $dir/$1 $source -g >$dir/$1.log 2>&1 ||
    { echo "failed: $1 is not built"; cat $dir/$1.log; fail=1; return; }
  SIMT_SECONDS=30 sh tests/simt/run.sh sm_90 $dir/$1 >$dir/$1.log 2>&1
  status=$?
  line=$(grep -n '/\* here \*/' $source | cut -d: -f1)
  wrong=$(grep -n '/\* not here \*/' $source | cut -d: -f1)
  if [ $status != "$3" ] || ! grep "^simt: .*$4" $dir/$1.log | grep -q "$1.c:$line"; then
    echo "failed: $1: exit status $status, not $3, or no \"$4\" at line $line:"
    cat $dir/$1.log
    fail=1
  elif [ "$wrong" ] && grep -q "$1.c:$wrong" $dir/$1.log; then
    echo "failed: $1: line $wrong is accused:"
    cat $dir/$1.log
    fail=1
  else
    echo "$1: $(grep "^simt: .*$4" $dir/$1.log | head -1)"
  fi
}
expect barrier 0 0 'is at a barrier of its block'
expect beyond 0 134 'writes 0x[0-9a-f]*, which is not the device'
expect race 1 0 'races: '
expect stuck 0 134 'wait at barrier 3 for 64 threads'
expect warp 0 0 'waits for lanes 0xffffffff'
expect assert 0 134 'assertion `n == 8` failed'
exit $fail
