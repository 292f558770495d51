# Description: -fsanitize=address|undefined|thread with target regions: host code only by default, device
# code on the CPU on request; static with UBSan, with both C libraries; others refused with a remedy.
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
finds() { # finds TEXT COMMAND...: the sanitizer reports it
  text=$1
  shift
  checks=$((checks + 1))
  "$@" >out 2>&1
  grep -q -e "$text" out || { fail "$*: no report of $text"; sed 's/^/    /' out; }
}
works $cc -g -fsanitize=address f.c -o p && works ./p && finds 'heap-buffer-overflow' ./p ha
works $cc -g -fsanitize=thread f.c -o p &&
  works env TSAN_OPTIONS=ignore_noninstrumented_modules=1:report_bugs=0 ./p
for mode in '' --static '--static --glibc'; do
  works $cc $mode -g -fsanitize=undefined f.c -o p && works ./p
  finds 'f.c:6.*signed integer overflow' ./p h
  [ -z "$mode" ] || finds '#0.*main.*f.c:6' env UBSAN_OPTIONS=print_stacktrace=1 ./p h
  works ./p d && grep -q 'runtime error' out && fail "device code is sanitized without being asked ($mode)"
  works $cc $mode -g -fsanitize=undefined --sanitize-device f.c -o p
  finds 'f.c:10.*signed integer overflow' ./p d
done
cp f.c f.cpp
works $cxx -g -fsanitize=address,undefined f.cpp -o p && finds 'f.cpp:6.*signed integer overflow' ./p h
works $cc -g -fsanitize=address --sanitize-device f.c -o p && says '46 1' ./p
for s in address thread memory; do
  refused "-fsanitize=$s|leave out --static|undefined works" $cc --static -fsanitize=$s f.c -o p
done
done_testing
