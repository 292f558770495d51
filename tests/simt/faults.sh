#!/bin/sh
# Description: the virtual GPU reports errors in kernels (solo-cc --targets=simt-sm_90, some with --simt-checks) with the
# source line marked "here", and not the line marked "not here".
#   faults.sh [PROGRAM...]    only these programs
set -u
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
[ -f /usr/lib/llvm-19/lib/libomptarget-nvptx-sm_90.bc ] || { echo "skipped: no device runtime"; exit 77; }
[ -f build/lib/simt/translate.sh ] || { echo "skipped: the virtual GPU was not configured"; exit 77; }
dir=build/simt/faults
mkdir -p $dir
fail=0
only=" $* "
is_left_out() { case $only in '  ' | *" $1 "*) return 1 ;; esac; }
expect() { # expect <program> <exit status> <text> [option of solo-cc]
  program=$1 wanted=$2 words=$3
  shift 3
  is_left_out "$program" && return
  source=tests/simt/faults/$program.c
  build/bin/solo-cc --targets=simt-sm_90 -O2 -g "$@" $source -o $dir/$program >$dir/$program.log 2>&1 ||
    { echo "failed: $program is not built"; cat $dir/$program.log; fail=1; return; }
  OMP_TARGET_OFFLOAD=mandatory timeout 60 $dir/$program >$dir/$program.log 2>&1
  status=$?
  line=$(grep -n '/\* here \*/' $source | cut -d: -f1)
  wrong=$(grep -n '/\* not here \*/' $source | cut -d: -f1)
  if [ $status != "$wanted" ] ||
    ! grep "^simt: .*$words" $dir/$program.log | grep -q "$program.c:$line"; then
    echo "failed: $program: exit status $status, not $wanted, or no \"$words\" at line $line:"
    cat $dir/$program.log
    fail=1
  elif [ "$wrong" ] && grep -q "$program.c:$wrong" $dir/$program.log; then
    echo "failed: $program: reports line $wrong, which is correct:"
    cat $dir/$program.log
    fail=1
  elif [ "$wanted" = 134 ] && ! grep -q 'target region at .* failed on device 0: ' $dir/$program.log; then
    echo "failed: $program: the message does not name the device:"
    cat $dir/$program.log
    fail=1
  else
    echo "$program: $(grep "^simt: .*$words" $dir/$program.log | head -1)"
  fi
}
expect barrier 0 'waits at a barrier of its block'
expect beyond 134 'writes 0x[0-9a-f]*, which is not device memory'
expect partial_barrier 134 'wait at barrier 3 for 64 threads'
expect warp 0 'waits for lanes 0xffffffff'
expect assert 134 'assertion `n == 8` failed'
expect race 0 'data race: ' --simt-checks
expect blocks 0 'access by thread 0 of another block' --simt-checks
expect relaxed 0 'data race: ' --simt-checks
SIMT_RACE_STATUS=66 expect blocks 66 'data race: ' --simt-checks
# no race: no report
if ! is_left_out ordered; then
  build/bin/solo-cc --targets=simt-sm_90 -O2 -g --simt-checks tests/simt/faults/ordered.c -o $dir/ordered >$dir/ordered.log 2>&1
  SIMT_RACE_STATUS=66 OMP_TARGET_OFFLOAD=mandatory timeout 60 $dir/ordered >>$dir/ordered.log 2>&1 &&
    ! grep -q 'simt: ' $dir/ordered.log || { echo "failed: ordered: a race is reported"; cat $dir/ordered.log; fail=1; }
fi
expect one_beyond 134 '0 bytes behind the end of the 400 bytes' --simt-checks
expect overflow 134 'overflowed its stack of 589824 bytes'
expect local 134 'which were freed' --simt-checks
exit $fail
