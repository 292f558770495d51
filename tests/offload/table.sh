#!/bin/sh
# Description: records the functions that the tests of OffloadAPI.h call on each platform (calls.c), and compares the table with
# docs/conformance/offload.md. Usage: table.sh [--update]
set -u
work=build/tests/offload/table
page=docs/conformance/offload.md
mkdir -p $work
rm -f $work/calls
export OFFLOAD_CALLS="$PWD/$work/calls"
fail=0
run() { # run LETTER COLUMN COMMAND
  export OFFLOAD_TEST="$1" OFFLOAD_COLUMN="$2"
  shift 2
  "$@" >$work/log 2>&1 && return
  echo "FAILED: $*"
  cat $work/log
  fail=1
}
run F '' sh tests/offload/functions.sh check
for column in host cuda hsa simt-sm_90 simt-gfx90a remote-host remote-cuda remote-hsa remote-simt; do
  run C $column sh tests/offload/conformance.sh check $column
done
run A '' build/check/tests/offload/test_offload
[ $fail = 0 ] || exit 1
python3 tests/offload/table.py abi/include/OffloadAPI.h $work/calls >$work/offload.md || exit 1
[ "${1:-}" != --update ] || cp $work/offload.md $page
cmp -s $work/offload.md $page || {
  echo "$page is not up to date: sh tests/offload/table.sh --update"
  diff $page $work/offload.md
  exit 1
}
echo "$(sort -u $work/calls | wc -l) combinations of function, platform, result and test"
