#!/bin/sh
# Description: compares sizes, offsets, enumerators, macros and function types of abi/include/OffloadAPI.h and of
# liboffload-22-dev's header.
. tests/offload/peer.sh
work=build/tests/offload/abi
mkdir -p $work
python3 tests/offload/abi.py "$peer_header" abi/include/OffloadAPI.h >$work/facts.h || exit 1
for which in peer own; do
  case $which in peer) header=$peer_header ;; *) header=$PWD/abi/include/OffloadAPI.h ;; esac
  gcc -std=c11 -include stdbool.h -include "$header" -I$work -o $work/$which tests/offload/print_facts.c || exit 1
  $work/$which >$work/$which.txt || exit 1
done
cmp $work/peer.txt $work/own.txt || { diff $work/peer.txt $work/own.txt | head -20; exit 1; }
# types of functions: both declarations in one translation unit
{
  echo '#include <stdbool.h>'
  echo "#include \"$peer_header\""
  echo '#undef OL_SUCCESS'
  sed -n '/^OL_APIEXPORT/,/;/p' abi/include/OffloadAPI.h | sed 's/(void);/();/'
} >$work/types.c
gcc -std=c11 -fsyntax-only $work/types.c || exit 1
n=$(wc -l <$work/own.txt)
f=$(grep -c '^OL_APIEXPORT' $work/types.c)
[ "$n" -ge 450 ] && [ "$f" -eq 70 ] || { echo "only $n facts, $f functions"; exit 1; }
echo "$n sizes, offsets and values and $f function types are equal"
