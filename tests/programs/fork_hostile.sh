#!/bin/sh
# Description: tests/programs/fork_hostile.c, static (musl) and drop-in for glibc, its modes so many times:
# fork_hostile.sh FORM [COUNT [MODE...]].
cd "$(dirname "$0")/../.." || exit 1
form=$1 count=${2:-1}
[ $# -gt 2 ] && shift 2 || set -- second host device critical
dir=build/tests/programs/fork_hostile
mkdir -p $dir
case $form in
static) build/bin/solo-cc --static -O1 tests/programs/fork_hostile.c -o $dir/$form || exit 1 ;;
glibc) export LIBOMP=1; build/bin/solo-cc -O1 tests/programs/fork_hostile.c -o $dir/$form || exit 1 ;;
esac
for round in $(seq "$count"); do
  for mode; do
    # the display makes the reading of the settings long
    display=false
    [ "$mode" = host ] && display=verbose
    OMP_DISPLAY_ENV=$display $dir/$form "$mode" 2>"$dir/$form.$mode" || { echo "failed: $mode in round $round"; exit 1; }
  done
done
