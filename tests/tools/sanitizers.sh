# Description: checks -fsanitize=address|undefined|thread for host code and, with --sanitize-device, for CPU device code.
# Static programs support only undefined.
name=sanitizers
. tests/tools/lib.sh
cat >f.c <<'END'
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
int main(int count, char **v) {
  int one = 1, r = 0, host = INT_MAX, *p = (int *)malloc(4 * sizeof(int));
  if (count > 1 && v[1][0] == 'h') host += one, p[4 * (v[1][1] == 'a')] = 1;
#pragma omp target map(from : r) map(to : one, count)
  {
    int most = INT_MAX;
    if (count > 1) most += one;
    r = most != 0;
  }
#pragma omp parallel for reduction(+ : r)
  for (int i = 0; i < 10; i++) r += i;
  printf("%d %d\n", r, host != 0);
  free(p);
  return 0;
}
END
export OMP_TARGET_OFFLOAD=mandatory
finds() { # finds TEXT COMMAND...: must report TEXT
  text=$1
  shift
  checks=$((checks + 1))
  "$@" >out 2>&1
  grep -q -e "$text" out || { fail "$*: no report of $text"; sed 's/^/    /' out; }
}
works $cc -g -fsanitize=address f.c -o p && works ./p && finds 'heap-buffer-overflow' ./p ha
works $cc -g -fsanitize=thread f.c -o p && says '46 1' ./p
# ThreadSanitizer reports a race, and nothing about synchronised code
cat >threads.c <<'END'
#include <omp.h>
#include <stdio.h>
static int shared_sum;
static omp_lock_t lock;
int main(void) {
  int a[1000], sum = 0, one = 0;
  omp_init_lock(&lock);
  for (int round = 0; round < 20; round++) {
#pragma omp parallel for
    for (int i = 0; i < 1000; i++) a[i] = i;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 1000; i++) sum += a[i];
#pragma omp parallel num_threads(4)
    {
#pragma omp single
      one = 1;
#pragma omp critical
      shared_sum += one;
#pragma omp barrier
      omp_set_lock(&lock), shared_sum++, omp_unset_lock(&lock);
#pragma omp barrier
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 100; i++) a[i]++;
#pragma omp single
      for (int i = 0; i < 10; i++) {
#pragma omp task shared(a) depend(inout : a[0])
        a[0]++;
      }
#pragma omp single
#pragma omp taskloop
      for (int i = 0; i < 1000; i++) a[i]++;
    }
#pragma omp target teams distribute parallel for map(tofrom : a)
    for (int i = 0; i < 1000; i++) a[i] *= 2;
#pragma omp target nowait map(tofrom : a) depend(inout : a)
    a[1] = 3;
#pragma omp taskwait
    a[1]++;
  }
  printf("%d %d %d\n", sum, a[1], shared_sum);
  return 0;
}
END
for option in '' --sanitize-device; do
  works $cc -g -O1 -fsanitize=thread $option threads.c -o p
  for i in 1 2 3 4 5; do says '9990000 4 160' ./p; done
done
sed '/pragma omp critical/d' threads.c >race.c
works $cc -g -O1 -fsanitize=thread race.c -o p && finds 'data race' ./p
for mode in '' --static '--static --glibc'; do
  works $cc $mode -g -fsanitize=undefined f.c -o p && works ./p
  finds 'f.c:6.*signed integer overflow' ./p h
  [ -z "$mode" ] || finds '#0.*main.*f.c:6' env UBSAN_OPTIONS=print_stacktrace=1 ./p h
  works ./p d && grep -q 'runtime error' out && fail "device code is sanitized without --sanitize-device ($mode)"
  works $cc $mode -g -fsanitize=undefined --sanitize-device f.c -o p
  finds 'f.c:10.*signed integer overflow' ./p d
done
cp f.c f.cpp
works $cxx -g -fsanitize=address,undefined f.cpp -o p && finds 'f.cpp:6.*signed integer overflow' ./p h
# device code and mapped memory: only with --sanitize-device
cat >d.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int table[4] = {1, 2, 3, 4};
#pragma omp declare target to(table)
int main(int count, char **v) {
  int r = 0, at = count > 2 ? atoi(v[2]) : 0, sum = 0, *p = (int *)calloc(8, sizeof(int));
  char what = count > 1 ? v[1][0] : 0;
#pragma omp target map(from : r) map(to : what, at) map(tofrom : p[0 : 4])
  {
    volatile int local[4] = {0};
    if (what == 's') local[at] = 1; /* line 11 */
    if (what == 'm') p[at] = 1;     /* line 12 */
    if (what == 'g') table[at] = 1; /* line 13 */
    r = table[3];
  }
#pragma omp target teams distribute parallel for num_teams(1) map(tofrom : sum)
  for (int i = 0; i < 1000; i++)
    if (what == 'r') sum += i; /* line 18 */
  printf("%d %d\n", r, what ? 0 : sum);
  free(p);
  return 0;
}
END
cp d.c d.cpp
found() { # found TEXT PLACE COMMAND...: must report TEXT at PLACE in a kernel
  report=$1 place=$2
  shift 2
  finds "$report" "$@"
  grep -q "^ *#0 .*__omp_offloading_.*[ /]$place" out || { fail "$*: $report is not reported at $place"; sed 's/^/    /' out; }
}
for compiler in $cc $cxx; do
  [ "$compiler" = "$cc" ] && source=d.c || source=d.cpp
  works "$compiler" -g -fsanitize=address --sanitize-device $source -o p && says '4 0' ./p
  found stack-buffer-overflow $source:11 ./p s 5
  found heap-buffer-overflow $source:12 ./p m 4
  found heap-buffer-overflow $source:12 ./p m -1
  found SEGV $source:12 ./p m 1000000
  found global-buffer-overflow $source:13 ./p g 4
done
works $cc -g -fsanitize=address d.c -o p && works ./p m 4 && says '4 0' ./p s 4
works $cc -g -O1 -fsanitize=thread --sanitize-device d.c -o p && says '4 0' ./p
found 'data race' d.c:18 ./p r
works $cc -g -O1 -fsanitize=thread d.c -o p && says '4 0' ./p r
# a shared library with target regions
cat >lib.c <<'END'
int library(int at) {
  int r = 0;
#pragma omp target map(tofrom : r) map(to : at)
  {
    volatile int local[4] = {0};
    local[at] = 1; /* line 6 */
    r = 7;
  }
  return r;
}
END
sed 's/"%d %d\\n", r, .*/"%d %d\\n", r, library(count > 1 ? 4 : 3));/; s/^int main/int library(int);&/' d.c >m.c
works $cc -g -fsanitize=address --sanitize-device -fPIC -shared lib.c -o lib.so
works $cc -g -fsanitize=address --sanitize-device m.c ./lib.so -o p && says '4 7' ./p
found stack-buffer-overflow lib.c:6 ./p x
for s in address thread memory; do
  refused "-fsanitize=$s|leave out --static|undefined works" $cc --static -fsanitize=$s f.c -o p
done
done_testing
