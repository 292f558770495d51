#!/bin/sh
# Description: tests/programs/fork_hostile.c, static (musl) and drop-in for glibc: fork_hostile.sh FORM.
cd "$(dirname "$0")/../.." || exit 1
dir=build/tests/programs/fork_hostile
mkdir -p $dir
case $1 in
static) build/bin/solo-cc --static -O1 tests/programs/fork_hostile.c -o $dir/$1 || exit 1 ;;
glibc) export LIBOMP=1; build/bin/solo-cc -O1 tests/programs/fork_hostile.c -o $dir/$1 || exit 1 ;;
esac
bad=0
for mode in second host device critical; do
  # the display makes the reading of the settings long
  display=false
  [ $mode = host ] && display=verbose
  OMP_DISPLAY_ENV=$display $dir/$1 $mode 2>$dir/$1.$mode || { echo "failed: $mode"; bad=1; }
done
exit $bad
