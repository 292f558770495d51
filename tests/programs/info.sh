#!/bin/sh
# Description: LIBOMPTARGET_INFO tells what runs on the CPU device, not what was asked for, and names the
# variables that are mapped and copied, in stock's words.
set -u
work=build/tests/programs/info
mkdir -p $work
cat >$work/info.c <<'END'
int main(void) {
  int a[4] = {1, 2, 3, 4};
#pragma omp target teams map(tofrom : a [0:4])
  a[0] = 5;
#pragma omp target teams num_teams(3) thread_limit(2)
  {}
#pragma omp target
  {}
  return a[0] != 5;
}
END
SOLO_CLANG=clang-19 build/bin/solo-cc --static -g $work/info.c -o $work/info || exit 1
wrong=0
OMP_NUM_TEAMS=4 OMP_TEAMS_THREAD_LIMIT=5 LIBOMPTARGET_INFO=56 $work/info 2>$work/out || wrong=1
OMP_NUM_THREADS=7 LIBOMPTARGET_INFO=16 $work/info 2>>$work/out || wrong=1
for words in 'main_l3 with 4 blocks and 5 threads in Generic mode' 'main_l5 with 3 blocks and 2 threads' \
  'main_l7 with 1 blocks and 5 threads' 'main_l3 with 1 blocks and 7 threads' 'Size=16, Name=a[0:4]' \
  'Size=16, DynRefCount=1, HoldRefCount=0, Name=a[0:4]'; do
  grep -qF -- "$words" $work/out || { echo "not said: $words"; wrong=1; }
done
[ "$(grep -c 'Copying data .*Name=a\[0:4\]$' $work/out)" -eq 2 ] || { echo "other copies"; wrong=1; }
[ $wrong -eq 0 ] || cat $work/out
exit $wrong
