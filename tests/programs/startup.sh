#!/bin/sh
# Description: a static program with one target region has no more system calls than an empty program, at most 5 more page
# faults, no shared object and no thread. Further launches make no system call.
# If page faults increase, run tools/start_order.sh and check the size of early memory (runtime/base/early.c): the
# linker script places its last 6,400 bytes in two pages.
set -eu
command -v strace >/dev/null || { echo "skipped: no strace"; exit 77; }
strace -o /dev/null true 2>/dev/null || { echo "skipped: strace cannot trace on this machine"; exit 77; }
dir=build/tests/startup
mkdir -p $dir
cat >$dir/empty.c <<'END'
int main(void) { return 0; }
END
cat >$dir/region.c <<'END'
#include <stdlib.h>
int main(int argc, char **argv) {
  int a[128] = {0}, n = argc > 1 ? atoi(argv[1]) : 1;
#pragma omp target enter data map(to : a)
  for (int i = 0; i < n; i++) {
#pragma omp target map(tofrom : a)
    a[0]++;
  }
#pragma omp target exit data map(from : a)
  return a[0] != n;
}
END
cat >$dir/faults.c <<'END'
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv) { /* minimum of many runs: stacks begin at any page offset */
  long fewest = 1000000;
  for (int i = 0, status; argc == 2 && i < 100; i++) {
    struct rusage use;
    pid_t child = vfork();
    if (child == 0) {
      execl(argv[1], argv[1], (char *)NULL);
      _exit(127);
    }
    if (wait4(child, &status, 0, &use) == child && status == 0 && use.ru_minflt < fewest)
      fewest = use.ru_minflt;
  }
  return printf("%ld\n", fewest) < 0;
}
END
gcc -O1 -D_DEFAULT_SOURCE $dir/faults.c -o $dir/faults
musl-gcc -static -O2 $dir/empty.c -o $dir/empty
build/bin/solo-cc --static -O2 $dir/region.c -o $dir/region
build/bin/solo-cc --static -O2 bench/q_startup.c -o $dir/only
calls() { OMP_TARGET_OFFLOAD=mandatory strace -f -o "$dir/trace" "$@"; grep -c '(' "$dir/trace"; }
empty=$(calls $dir/empty)
one=$(calls $dir/region 1)
cp $dir/trace $dir/trace.one
many=$(calls $dir/region 10001)
echo "empty program $empty system calls, one region $one, 10001 regions $many"
fail=0
[ "$one" -le "$empty" ] || { echo "system calls beyond the empty program:"; cat $dir/trace.one; fail=1; }
faults=$($dir/faults $dir/region) empty_faults=$($dir/faults $dir/empty)
only_faults=$($dir/faults $dir/only)
echo "page faults: empty program $empty_faults, one region $faults, only a region $only_faults"
[ $((faults - empty_faults)) -le 5 ] || { echo "more than 5 page faults beyond the empty program"; fail=1; }
[ $((only_faults - empty_faults)) -le 2 ] || { echo "more than 2 page faults for only a region"; fail=1; }
[ "$many" -eq "$one" ] || { echo "further launches make system calls"; fail=1; }
! grep -E 'open.*\.so|clone' $dir/trace.one || { echo "the program opens a shared object or starts a thread"; fail=1; }
file $dir/region | grep -q 'statically linked' || { file $dir/region; fail=1; }
! readelf -d $dir/region 2>/dev/null | grep -q NEEDED || { echo "the program has NEEDED entries"; fail=1; }
# constants with addresses are in the code segment, if the linker supports it and the program's address is fixed
flags() { readelf -SW "$1" | sed 's/^ *\[[ 0-9]*\] *//' | awk -v name="$2" '$1 == name { print $7 }'; }
[ "$(flags $dir/region .rodata.first)" = A ] || { echo "constants with addresses are not in the code segment"; fail=1; }
for option in -fuse-ld=lld -pie; do
  build/bin/solo-cc --static $option -O2 $dir/region.c -o $dir/other
  OMP_TARGET_OFFLOAD=mandatory $dir/other 3 || { echo "$option: exit status $?"; fail=1; }
  [ "$(flags $dir/other .data.rel.ro)" = WA ] || { echo "$option: .data.rel.ro is not writable data"; fail=1; }
done
exit $fail
