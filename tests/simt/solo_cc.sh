#!/bin/sh
# Description: programs of solo-cc --targets=simt-... run on the virtual GPU: dynamic, static, separately compiled and
# installed; with gdb, AddressSanitizer, a seed and several host threads. Invalid targets are rejected.
#   solo_cc.sh [all]
set -u
all=${1:-no}
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
[ -f /usr/lib/llvm-19/lib/libomptarget-nvptx-sm_90.bc ] || { echo "skipped: no device runtime"; exit 77; }
[ -f build/lib/simt/translate.sh ] || { echo "skipped: the virtual GPU was not configured"; exit 77; }
dir=build/simt/product
rm -rf $dir
mkdir -p $dir
fail=0
OMP_TARGET_OFFLOAD=mandatory
export OMP_TARGET_OFFLOAD
cat >$dir/square.c <<'END'
int square_of(int i) {
  int square = i * i;
  return square;
}
END
cat >$dir/a.c <<'END'
#include <omp.h>
#include <stdio.h>
#pragma omp begin declare target
int square_of(int i);
#pragma omp end declare target
int main(void) {
  int a[64], on_host = 1;
#pragma omp target map(from : on_host)
  on_host = omp_is_initial_device();
#pragma omp target teams distribute parallel for map(from : a) num_teams(2) thread_limit(32)
  for (int i = 0; i < 64; i++)
    a[i] = square_of(i) + 1; /* line 12 */
  printf("%d %d\n", on_host, a[9]);
  return on_host || a[9] != 82;
}
END
sed -i '1i #pragma omp begin declare target' $dir/square.c
echo '#pragma omp end declare target' >>$dir/square.c
cat >$dir/math.c <<'END'
#include <complex.h>
#include <math.h>
#include <stdio.h>
int main(void) {
  double a[64], worst = 0;
#pragma omp target teams distribute parallel for map(from : a) num_teams(2) thread_limit(32)
  for (int i = 0; i < 64; i++)
    a[i] = sin(i) + pow(i, 1.3) + exp(-i) + hypot(i, 2) + __imag__((i + 2.0 * I) * (3.0 + i * I)) + (double)lround(i * 0.3);
  for (int i = 0; i < 64; i++)
    worst = fmax(worst, fabs(a[i] - (sin(i) + pow(i, 1.3) + exp(-i) + hypot(i, 2) + 6 + i * i + (double)lround(i * 0.3))));
  printf("%g\n", worst);
  return worst > 1e-9;
}
END
expect() { # expect <text> <file>
  grep -q -e "$1" "$2" || { echo "failed: no \"$1\" in $2:"; tail -20 "$2"; fail=1; }
}
build() { # build <out> <solo-cc options...>
  out=$1
  shift
  "${bin:-build/bin}/solo-cc" "$@" -O1 -c $dir/square.c -o "$out.o" >"$out.log" 2>&1 &&
    "${bin:-build/bin}/solo-cc" "$@" -O1 $dir/a.c "$out.o" -o "$out" >"$out.log" 2>&1 ||
    { echo "failed: $* is not built"; tail -20 "$out.log"; fail=1; return 1; }
}
runs() { # runs <program>
  timeout 60 "$1" >"$1.out" 2>&1 || { echo "failed: $1: status $?"; fail=1; }
  expect '^0 82$' "$1.out"
}
build $dir/dynamic --targets=simt-sm_90 && runs $dir/dynamic
build $dir/amd --targets=simt-gfx90a && runs $dir/amd
build $dir/musl --targets=simt-sm_90 --static && runs $dir/musl
build $dir/glibc --targets=simt-gfx90a --static --glibc && runs $dir/glibc
for way in '' '--static' '--static --glibc'; do
  [ "$all$way" != 'no--static --glibc' ] || continue
  # shellcheck disable=SC2086
  build/bin/solo-cc --targets=simt-sm_90 $way -O1 $dir/math.c -o $dir/math -lm >$dir/math.log 2>&1 &&
    timeout 60 $dir/math >>$dir/math.log 2>&1 || { echo "failed: math.h in a kernel, $way"; tail -20 $dir/math.log; fail=1; }
done
for program in musl glibc; do
  file $dir/$program >$dir/$program.file
  expect 'statically linked' $dir/$program.file
done
if sh tools/install.sh "$PWD/$dir/prefix" >$dir/install.log 2>&1; then
  mv $dir/prefix $dir/moved
  bin=$dir/moved/bin build $dir/installed --targets=simt-sm_90 --static && runs $dir/installed
else
  echo "failed: install.sh"
  fail=1
fi
# gdb: a breakpoint in a kernel
if command -v gdb >/dev/null; then
  build/bin/solo-cc --targets=simt-sm_90 -O0 -g $dir/square.c $dir/a.c -o $dir/debug >$dir/debug.log 2>&1
  SIMT_WORKERS=1 timeout 100 gdb -q -batch -ex 'set breakpoint pending on' -ex 'set debuginfod enabled off' \
    -ex "break square.c:4 if i == 9" -ex run -ex backtrace -ex 'print square' $dir/debug \
    >$dir/gdb.out 2>&1
  expect '^#0  *square_of (i=9) at .*square.c:4$' $dir/gdb.out
  expect '^#1 .*omp_outlined.* at .*a.c:12$' $dir/gdb.out
  expect '^\$1 = 81$' $dir/gdb.out
fi
# with one kernel, the optimiser must not assume that only this kernel writes the runtime's block state
cat >$dir/alone.c <<'END'
#include <stdio.h>
int main(void) {
  int n = 0;
#pragma omp target map(tofrom : n)
  {
    n = 5;
#pragma omp parallel
    {
    }
  }
  printf("%d\n", n);
  return 0;
}
END
for target in sm_90 gfx90a; do
  build/bin/solo-cc --targets=simt-$target -O2 $dir/alone.c -o $dir/alone >$dir/alone.log 2>&1 &&
    timeout 60 $dir/alone >>$dir/alone.log 2>&1
  expect '^5$' $dir/alone.log
done
# a thread_limit without a warp for a parallel region; a nested region; if(0), and a region after it
cat >$dir/narrow.c <<'END'
#include <omp.h>
#include <stdio.h>
int main(void) {
  int most[4], sum = 0, met = 0, threads = 0, wrong = 0, once = 0, behind = 0;
#pragma omp target teams num_teams(4) thread_limit(8) map(from : most) map(tofrom : sum, wrong)
  {
    int team = omp_get_team_num(), mine = 0;
    most[team] = omp_get_max_threads();
#pragma omp parallel
    {
#pragma omp for reduction(+ : mine)
      for (int i = 0; i < 100; i++) mine += i;
#pragma omp master
      wrong |= omp_get_num_threads() > 8;
#pragma omp barrier
#pragma omp single
#pragma omp atomic
      sum += mine;
    }
  }
#pragma omp target map(tofrom : met, threads)
#pragma omp parallel
  {
#pragma omp atomic
    threads++;
#pragma omp parallel
    {
#pragma omp barrier
#pragma omp atomic
      met++;
    }
  }
#pragma omp target map(tofrom : once, behind)
  {
#pragma omp parallel if (0)
    once = once + 1;
#pragma omp parallel for
    for (int i = 0; i < 100; i++)
#pragma omp atomic
      behind++;
  }
  wrong |= once != 1 || behind != 100;
  for (int i = 0; i < 4; i++) wrong |= most[i] < 1 || most[i] > 8;
  printf("%d %d %d\n", sum, met == threads && met > 1, wrong);
  return 0;
}
END
for target in sm_90 gfx90a; do
  for level in -O0 -O2; do
    case $all$target$level in nosm_90-O2 | nogfx90a-O0) continue ;; esac
    build/bin/solo-cc --targets=simt-$target $level $dir/narrow.c -o $dir/narrow >$dir/narrow.log 2>&1 &&
      timeout 60 $dir/narrow >>$dir/narrow.log 2>&1
    expect '^19800 1 0$' $dir/narrow.log
  done
done
cat >$dir/order.c <<'END'
#include <stdio.h>
int main(void) {
  int order[64], n = 0;
#pragma omp target teams distribute parallel for map(from : order) map(tofrom : n) num_teams(4) thread_limit(32)
  for (int i = 0; i < 64; i++) {
    int at;
#pragma omp atomic capture
    at = n++;
    order[at] = i;
  }
  for (int i = 0; i < 64; i++) printf("%d ", order[i]);
  puts("");
}
END
build/bin/solo-cc --targets=simt-sm_90 -O2 $dir/order.c -o $dir/order >$dir/order.log 2>&1 ||
  { echo "failed: order.c is not built"; fail=1; }
for run in 1 2 1again; do
  SIMT_SEED=${run%again} SIMT_WORKERS=1 $dir/order >$dir/order.$run
done
cmp -s $dir/order.1 $dir/order.1again || { echo "failed: a seed gives two orders"; fail=1; }
! cmp -s $dir/order.1 $dir/order.2 || { echo "failed: two seeds give one order"; fail=1; }
# blocks that wait for each other need two host threads
cat >$dir/meet.c <<'END'
int main(void) {
  int here = 0, met = 0;
#pragma omp target teams num_teams(2) thread_limit(32) map(tofrom : here, met)
  {
    int seen = 0;
#pragma omp atomic
    here++;
    for (int i = 0; i < 200000000 && seen < 2; i++) {
#pragma omp atomic read
      seen = here;
    }
#pragma omp atomic
    met += seen == 2;
  }
  return met != 2;
}
END
build/bin/solo-cc --targets=simt-sm_90 -O2 $dir/meet.c -o $dir/meet >$dir/meet.log 2>&1
SIMT_WORKERS=2 timeout 60 $dir/meet || { echo "failed: two blocks do not run concurrently"; fail=1; }
cat >$dir/shared.c <<'END'
int main(void) {
  int threads = 0, count = 0;
#pragma omp target map(from:threads,count)
  {
    int entered = 0, all = 0;
#pragma omp parallel
    {
#pragma omp atomic
      all++;
#pragma omp critical
      entered++;
    }
    threads = all;
    count = entered;
  }
  return threads < 2 || count != threads;
}
END
build/bin/solo-cc --targets=simt-gfx90a -O2 -g $dir/shared.c -o $dir/shared >$dir/shared.log 2>&1
OMP_TARGET_OFFLOAD=mandatory timeout 60 $dir/shared || { echo "failed: a shared variable with -g"; fail=1; }
# AddressSanitizer for the host's code (--simt-checks is for kernels)
cat >$dir/over.c <<'END'
#include <stdlib.h>
int main(int argc, char **argv) {
  (void)argv;
  int *a = malloc(40);
#pragma omp target teams distribute parallel for map(from : a[:10])
  for (int i = 0; i < 10; i++) a[i] = i;
  if (a[9] != 9) return 3;
  return a[9 + argc] == 12345; /* line 8 */
}
END
build/bin/solo-cc --targets=simt-sm_90 -O1 -g -fsanitize=address $dir/over.c -o $dir/over >$dir/over.log 2>&1 ||
  { echo "failed: AddressSanitizer: not built"; tail -5 $dir/over.log; fail=1; }
timeout 60 $dir/over >$dir/over.out 2>&1 && { echo "failed: AddressSanitizer reports nothing"; fail=1; }
expect 'heap-buffer-overflow' $dir/over.out
expect 'over.c:8' $dir/over.out
build/bin/solo-cc --targets=host,simt-sm_90 $dir/a.c -o $dir/no >$dir/no.out 2>&1 && { echo "failed: two targets are accepted"; fail=1; }
expect "only target" $dir/no.out
build/bin/solo-cc --targets=simt-none $dir/a.c -o $dir/no >$dir/no.out 2>&1 && { echo "failed: an unknown target is accepted"; fail=1; }
expect "unknown target" $dir/no.out
exit $fail
