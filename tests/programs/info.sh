#!/bin/sh
# Description: checks the output of LIBOMPTARGET_INFO: actual launch bounds, mapped and copied variables, kernel
# arguments and mapping tables, in the format of LLVM's libomptarget.
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
  grep -qF -- "$words" $work/out || { echo "missing in the output: $words"; wrong=1; }
done
[ "$(grep -c 'Copying data .*Name=a\[0:4\]$' $work/out)" -eq 2 ] || { echo "the number of copies of a is not 2"; wrong=1; }
cat >$work/lists.c <<'END'
extern void ompx_dump_mapping_tables(void), __tgt_set_info_flag(unsigned);
int global;
#pragma omp declare target to(global)
int main(void) {
  int a[4] = {1, 2, 3, 4}, b[4], c[2], n = 2;
#pragma omp target data map(to : a) map(ompx_hold, from : b)
  {
#pragma omp target firstprivate(n) map(c [0:0])
    b[0] = a[1] + n + global;
#pragma omp target update to(a [0:2])
  }
  __tgt_set_info_flag(0);
#pragma omp target map(a)
  a[0] = b[0];
  if (n == 3) ompx_dump_mapping_tables();
  return a[0] != 4;
}
END
flags="--static -g -fopenmp-extensions"
SOLO_CLANG=clang-19 build/bin/solo-cc $flags $work/lists.c -o $work/lists || exit 1
LIBOMPTARGET_INFO=-1 $work/lists 2>$work/lists.out || wrong=1
sed 's/0x[0-9a-f]*/ADDRESS/g; s/__omp_off[a-z]*_[0-9a-f]*_[0-9a-f]*_/KERNEL_/; s/^[a-zA-Z"]* device 0 info: //' \
  $work/lists.out >$work/lists.have
diff tests/programs/info.wanted $work/lists.have || { echo "the output differs from info.wanted"; wrong=1; }
# the table of ompx_dump_mapping_tables
cat >$work/dump.c <<'END'
extern void ompx_dump_mapping_tables(void);
int main(void) {
  int a[4];
#pragma omp target enter data map(to : a)
  ompx_dump_mapping_tables();
  return 0;
}
END
SOLO_CLANG=clang-19 build/bin/solo-cc --static -g $work/dump.c -o $work/dump || exit 1
$work/dump >$work/dump.out 2>&1 || wrong=1
for words in 'pointer mappings after block at libomptarget:0:0:' ' 16       1           0            a at '; do
  grep -qF -- "$words" $work/dump.out || { echo "missing in the mapping table: $words"; cat $work/dump.out; wrong=1; }
done
# without -g the program must print a hint
SOLO_CLANG=clang-19 build/bin/solo-cc --static $work/info.c -o $work/plain || exit 1
LIBOMPTARGET_INFO=1 $work/plain 2>&1 | grep -q 'with -g to see map lists' || { echo "without -g: no hint"; wrong=1; }
[ $wrong -eq 0 ] || cat $work/out
exit $wrong
