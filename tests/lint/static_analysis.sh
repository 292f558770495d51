#!/bin/sh
# Description: checks the library with cppcheck and clang-tidy.
cd "$(dirname "$0")/../.." || exit 1
command -v cppcheck >/dev/null || { echo "skipped: no cppcheck"; exit 77; }
fail=0
sources=$(find runtime abi backends -name '*.c' | grep -vE 'abi/(device|tools)/|simt/device/')
cppcheck -q --std=c11 --enable=warning,portability --inline-suppr --error-exitcode=1 -j 2 -I. \
  --suppress=missingIncludeSystem --suppress=unknownMacro --suppress=preprocessorErrorDirective \
  -D__x86_64__=1 '-DSOLO_BACKEND_LIST(XX)=XX(host)' $sources || fail=1
if command -v clang-tidy >/dev/null; then
  mpi=$(mpicc.mpich -show 2>/dev/null | tr ' ' '\n' | sed -n 's/^-I/-isystem/p') # of backends/remote
  clang-tidy --quiet $sources -- -std=c11 -I. $mpi -D_GNU_SOURCE \
    '-DSOLO_BACKEND_LIST(XX)=XX(host)' -fopenmp-version=51 2>/dev/null | grep -E 'warning:|error:' && fail=1
fi
[ $fail = 0 ] && echo "static analysis clean"
exit $fail
