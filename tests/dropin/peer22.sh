#!/bin/sh
# Description: compiles tests/programs and examples with Clang 22, links them with LLVM's libomptarget.so.22.1, and runs
# each program with LLVM's library and, without a new link, with solo's. If a program is correct with LLVM's library, solo
# must print the same. Writes docs/conformance/libomptarget-22.md, or compares it. Usage: peer22.sh [--update]
update=${1:-}
. tests/dropin/lib.sh
need clang-22
peer=$root/build/offload-peer/usr/lib/llvm-22/lib
[ -e "$peer/libomptarget.so.22.1" ] || skip "no libomptarget 22; sh tests/offload/fetch.sh unpacks it"
page=$root/docs/conformance/libomptarget-22.md
list=$root/tests/dropin/peer22.list
export OMP_TARGET_OFFLOAD=mandatory OMP_NUM_THREADS=4
run() { # run NAME FOLDER: sets status
  LD_LIBRARY_PATH=$2:$stock timeout 100 ./program >"$1.out" 2>"$1.err"
  status=$?
}
same=0 better=0 other=0
cat >table.md <<'END'

`sh tests/dropin/peer22.sh --update` writes this page. The programs of `tests/programs` and `examples` are compiled by Clang 22
with `-O1` for the CPU and linked with Debian's `libomptarget.so.22.1`. Each program runs with this library and, without a
new link, with solo's `libomptarget.so.22.1`. The numbers are exit statuses.

| program | LLVM 22 | solo | output | difference |
|---|---|---|---|---|
END
for source in "$root"/tests/programs/*.c "$root"/tests/programs/*.cpp "$root"/examples/*.c "$root"/examples/*.cpp; do
  name=$(basename "$source")
  folder=$(basename "$(dirname "$source")")
  line=$(grep "^$name " "$list")
  known=$(echo "$line" | cut -d' ' -f2)
  cause=$(echo "$line" | cut -d' ' -f3-)
  case $known in solo)
    other=$((other + 1))
    echo "| $folder/$name | | | | not compared: $cause |" >>table.md
    continue ;;
  esac
  compiler=clang-22
  case $name in *.cpp) compiler=clang++-22 ;; esac
  own=$(sed -n 's/.*Options: \([^*]*\).*/\1/p' "$source")
  "$compiler" -O1 -fopenmp $target -isystem "$peer/clang/22/include" -idirafter "$root/build/include" $own "$source" \
    -L"$peer" -L"$stock" -lm -o program 2>cc.log || { fail "$name: build"; cat cc.log; continue; }
  readelf -d program | grep -q 'NEEDED.*libomptarget.so.22.1' || fail "$name: not linked with LLVM's library"
  # libomp 19 asserts in hidden helper threads (tests/dropin/programs.sh)
  case $name in tasks.c) export LIBOMP_USE_HIDDEN_HELPER_TASK=0 ;; *) unset LIBOMP_USE_HIDDEN_HELPER_TASK ;; esac
  run solo "$lib/shared-cpu"
  own=$status
  run peer "$peer"
  output=equal
  # examples print times
  case $folder in
  examples) output='not compared' ;;
  *) cmp -s solo.out peer.out || output=different ;;
  esac
  [ $own = 0 ] || { fail "$name: exit status $own with solo, $status with LLVM's library"; cat solo.out solo.err; }
  if [ $status = 0 ]; then
    same=$((same + 1))
    [ "$output" != different ] || { fail "$name: other output"; diff peer.out solo.out; }
  else
    better=$((better + 1))
    [ "$cause" ] || { fail "$name: exit status $status with LLVM's library; no cause in peer22.list"; cat peer.out peer.err; }
  fi
  [ "$status" = "${known:-0}" ] || fail "$name: exit status $status with LLVM's library, ${known:-0} in peer22.list"
  echo "| $folder/$name | $status | $own | $output | $cause |" >>table.md
done
[ "$update" != --update ] || cp table.md "$page"
cmp table.md "$page" || { diff "$page" table.md; fail "the page is not up to date: sh tests/dropin/peer22.sh --update"; }
echo "$same programs behave alike, $better fail with LLVM's library only, $other not compared"
finish
