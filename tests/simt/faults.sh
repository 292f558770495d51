#!/bin/sh
# Description: the virtual GPU reports errors in kernels (faults/messages.c) with a source line of the case, and nothing for a
# correct program (faults/ordered.c).
#   faults.sh [all | CASE...]      all: each combination (soak); CASE: with sm_90, Clang 19, -O2
set -u
command -v clang-19 >/dev/null && command -v clang-22 >/dev/null || { echo "skipped: no clang-19 and clang-22"; exit 77; }
[ -f /usr/lib/llvm-19/lib/libomptarget-nvptx-sm_90.bc ] || { echo "skipped: no device runtime"; exit 77; }
[ -f build/lib/simt/translate.sh ] || { echo "skipped: the virtual GPU was not configured"; exit 77; }
dir=build/simt/faults${1:+-$1} # two tests may run concurrently
mkdir -p "$dir"
export OMP_TARGET_OFFLOAD=mandatory
source=tests/simt/faults/messages.c
fail=0
only=" $* "
case $only in *' all '*) only='  ' ;; esac
is_selected() { case $only in '  ' | *" $1 "*) ;; *) return 1 ;; esac; }
build() { # build <target> <version> <solo-cc option...>
  target=$1 version=$2
  shift 2
  options=$* name=$(echo "$target-$version$*" | tr -d ' =')
  build/bin/solo-cc --clang="clang-$version" --targets="simt-$target" "$@" -Wno-openmp-mapping $source -o "$dir/$name" \
    >"$dir/$name.log" 2>&1 && return
  echo "failed: $target $version $options: not built"
  tail -5 "$dir/$name.log"
  fail=1
  return 1
}
expect() { # expect <case> <exit status> <text>
  is_selected "$1" || return
  log=$dir/$name.$1.log
  timeout 60 "$dir/$name" "$1" >"$log" 2>&1
  status=$?
  lines=$(grep -n "/\* $1 \*/" $source | cut -d: -f1 | paste -sd'|')
  wrong=$(grep -n "/\* not $1 \*/" $source | cut -d: -f1)
  problem=
  [ $status = "$2" ] || problem="exit status $status, not $2"
  grep "^simt: .*$3" "$log" | grep -Eq "messages.c:($lines)( |\$)" || problem="no \"$3\" at line $lines"
  [ -z "$wrong" ] || ! grep -q "messages.c:$wrong" "$log" || problem="reports line $wrong, which is correct"
  [ "$2" != 134 ] || grep -q 'target region at .* failed on device 0: ' "$log" || problem="the message does not name the device"
  if [ "$problem" ]; then
    echo "failed: $target $version $options: $1: $problem"
    cat "$log"
    fail=1
  else
    echo "$target $version $options: $(grep "^simt: .*$3" "$log" | head -1)"
  fi
}
common() {
  expect overflow 134 'overflowed its stack of 589824 bytes'
  expect null 134 'calls a null function pointer'
  expect divide 134 'divides an integer by 0'
  expect trap 134 'executed a trap instruction'
  expect asserts 134 'executed a trap instruction'
  case $target in gfx*) return ;; esac
  expect assertfail 134 'assertion `n == 8` failed'
  expect skipped 0 'waits at a barrier of its block'
  expect deadlock 134 'wait at barrier 3 for 64 threads'
  expect warp 0 'waits for lanes 0xffffffff'
}
plain() { # plain <target> <version> <solo-cc option...>
  build "$@" || return
  common
  expect beyond 134 'writes 0x[0-9a-f]*, which is not device memory'
}
checked() {
  build "$@" --simt-checks || return
  common
  expect beyond 134 'writes 4 bytes at 0x[0-9a-f]*, which is not device memory'
  expect foreign 134 'reads 4 bytes at 0x[0-9a-f]*, the private memory of thread 0'
  expect one_beyond 134 '0 bytes behind the end of the 400 bytes'
  case $target in sm_*) expect freed 134 'which were freed' ;; esac
  expect race 0 'data race: '
  expect blocks 0 'access by thread 0 of another block'
  SIMT_RACE_STATUS=66 expect blocks 66 'data race: '
  expect relaxed 0 'data race: '
}
if [ "${1:-}" = all ]; then
  for one in sm_90 gfx90a; do
    for clang in 19 22; do
      for level in -O0 -O1 -O2; do
        for debug in -g -gline-tables-only; do plain $one $clang $level $debug; done
        checked $one $clang $level # implies -gline-tables-only
        checked $one $clang $level -g
      done
    done
  done
elif [ $# -gt 0 ]; then
  plain sm_90 19 -O2 -g
  case $only in *' foreign '* | *' one_beyond '* | *' freed '* | *' race '* | *' blocks '* | *' relaxed '*) checked sm_90 19 -O2 -g ;; esac
else
  plain sm_90 19 -O0 -g
  plain sm_90 22 -O2 -gline-tables-only
  plain gfx90a 22 -O0 -gline-tables-only
  checked sm_90 22 -O0 -g
  checked gfx90a 19 -O2
fi
if is_selected ordered; then
  build/bin/solo-cc --targets=simt-sm_90 -O2 -g --simt-checks tests/simt/faults/ordered.c -o "$dir/ordered" >"$dir/ordered.log" 2>&1
  SIMT_RACE_STATUS=66 timeout 60 "$dir/ordered" >>"$dir/ordered.log" 2>&1 &&
    ! grep -q 'simt: ' "$dir/ordered.log" || { echo "failed: ordered: a report"; cat "$dir/ordered.log"; fail=1; }
fi
exit $fail
