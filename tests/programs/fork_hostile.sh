#!/bin/sh
# Description: runs fork_hostile.c, static or with glibc: fork_hostile.sh FORM [COUNT [MODE...]]
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
    unset OMP_SCHEDULE LIBOMPTARGET_INFO
    # reported while settings are read
    [ "$mode" = host ] && [ $form = static ] && export OMP_SCHEDULE=nonsense
    [ "$mode" = host ] && [ $form = glibc ] && export LIBOMPTARGET_INFO=nonsense
    $dir/$form "$mode" 2>"$dir/$form.$mode" || { echo "mode $mode failed in round $round"; exit 1; }
  done
done
