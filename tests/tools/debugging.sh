# Description: checks programs with -g in valgrind, llvm-dwarfdump --verify, gdb (breakpoints, backtraces, mapping
# tables, core files) and perf.
name=debugging
. tests/tools/lib.sh
for tool in gdb valgrind llvm-dwarfdump-19; do
  command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
script=$tree/../tools/solo-gdb.py
cat >f.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#pragma omp begin declare target
int table[4] = {1, 2, 3, 4};
int twice(int x) {
  return 2 * x; /* line 6 */
}
#pragma omp end declare target
int main(int count, char **v) {
  int r = 0, n = count > 1 ? atoi(v[1]) : 0, missing[8] = {0};
  double *p = (double *)calloc(10 * n + 1, sizeof *p);
  for (int i = 0; i < n; i++) {
#pragma omp target enter data map(to : p[10 * i : 9])
  }
#pragma omp target map(tofrom : r)
  r = twice(table[3]); /* line 16 */
#pragma omp target teams distribute parallel for num_teams(1) thread_limit(1) map(tofrom : r)
  for (int i = 0; i < 4; i++) r += i; /* line 18 */
  if (n) {
#pragma omp target map(present, tofrom : missing)
    missing[0] = 1;
  }
  for (int i = 0; i < n; i++) {
#pragma omp target exit data map(delete : p[10 * i : 9])
  }
  printf("%d\n", r);
  free(p);
  return 0;
}
END
shows() { # shows NUMBER PATTERN: number of lines of out that match
  checks=$((checks + 1))
  got=$(grep -c -e "$2" out)
  [ "$got" -eq "$1" ] || { fail "$mode: $got lines match '$2', expected $1"; sed 's/^/    /' out; }
}
debug() { gdb -batch -nx -iex 'set debuginfod enabled off' -x "$script" "$@" >out 2>&1; }
for mode in --static '--static --glibc' ''; do
  works $cc $mode -g f.c -o p && says 14 env OMP_TARGET_OFFLOAD=mandatory ./p
  case $mode in
  *glibc) works valgrind ./p ;; # memcheck cannot replace string functions of a static glibc
  *) works valgrind --error-exitcode=9 ./p ;;
  esac
  shows 0 'orrupted\|unhandled'
  works llvm-dwarfdump-19 --verify p
  shows 0 '^error'
  debug -ex 'break f.c:16' -ex 'info breakpoints' ./p
  [ -z "$mode" ] || shows 2 ' at f.c:16$'
  # Clang generates several functions from a loop
  for at in 'f.c:18 2' 'f.c:17 3' 'f.c:6 2'; do
    debug -ex 'set breakpoint pending on' -ex "break ${at% *}" -ex run -ex 'info breakpoints' ./p
    shows "${at#* }" '^1\.[0-9]* *y '
  done
  debug -ex 'set solo-every-location on' -ex 'set breakpoint pending on' -ex 'break f.c:17' -ex run \
    -ex 'info breakpoints' ./p
  shows 13 '^1\.[0-9]* *y '
  debug -ex 'set breakpoint pending on' -ex 'break f.c:6' -ex 'run 40' -ex bt -ex 'info solo-mappings' ./p
  shows 1 '^#0 .*twice'
  shows 1 '^#.*__omp_offloading_.*main_l15 '
  shows 1 '^#.* main (count=2.*f.c'
  shows 1 '^#0 .*twice (x=4) at f.c:6'
  shows 1 '^#1 .*main_l15_debug__ .* at f.c:16'
  shows 1 'device 0: 42 mappings'
  shows 40 ' 72 .* 1 .* p\[10 \* i:9\] (f.c:11)'
  shows 1 ' 16 .*infinite .* table'
done
for mode in --static ''; do
  works $cc $mode -g f.c -o p
  rm -f core.p
  gdb -batch -nx -iex 'set debuginfod enabled off' -ex 'set environment OMP_TARGET_OFFLOAD=mandatory' \
    -ex 'run 3' -ex 'generate-core-file core.p' ./p >out 2>&1
  shows 1 'received signal SIGABRT'
  debug ./p core.p -ex bt -ex 'info solo-mappings'
  shows 1 '^#.* in failed '
  shows 1 '^#.* main (count=2.*f.c'
  shows 3 ' p\[10 \* i:9\] (f.c:11)'
done
# the verifier reports functions that GNU ld has removed
sed 's/^int main/int unused(int x) { return x + 1; }\n&/' f.c >unused.c
for lto in '' -flto -foffload-lto '-flto -foffload-lto'; do
  works $cc --static -g -O2 $lto -Wl,--no-gc-sections unused.c -o p && says 14 ./p
  works llvm-dwarfdump-19 --verify p
  shows 0 '^error'
  works $cc --static -g -O2 $lto unused.c -o p && says 14 ./p
  llvm-dwarfdump-19 --verify p >out 2>&1
  # each removed function has address 0
  python3 - out <<'END' >addresses
import re, sys
text = open(sys.argv[1]).read()
tag = r"DW_TAG_(?:subprogram|inlined_subroutine)[^\n]*\n(?:(?!DW_TAG).)*?low_pc[^\n]*\((0x\w+)\)"
for part in re.split(r"^error: DIE", text, flags=re.M)[1:]:
    if re.search(tag, part, re.S):  # not the summary
        print(*{int(low, 16) for low in re.findall(tag, part, re.S)})
END
  says 0 sort -u addresses
done
cat >f.cpp <<'END'
#include <cstdio>
#include <vector>
template <typename T> struct axpy {
  T a;
  void run(T *y, const T *x, int n) const {
    T a = this->a;
#pragma omp target teams distribute parallel for map(tofrom : y[0 : n]) map(to : x[0 : n])
    for (int i = 0; i < n; i++)
      y[i] += a * x[i]; // line 9
  }
};
namespace dots {
double dot(const double *x, const double *y, int n) {
  double sum = 0;
#pragma omp target teams distribute parallel for map(to : x[0 : n], y[0 : n]) reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i]; // line 17
  return sum;
}
} // namespace dots
int main() {
  std::vector<double> x(1000, 1), y(1000, 2);
  double r = 0;
#pragma omp target map(tofrom : r)
  r = 1; // line 25
  axpy<double>{2}.run(y.data(), x.data(), 1000);
  auto f = [&](int n) {
    double *p = y.data();
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])
    for (int i = 0; i < n; i++)
      p[i] *= 2; // line 31
  };
  f(1000);
  printf("%g\n", dots::dot(x.data(), y.data(), 1000) + r);
}
END
for mode in --static ''; do
  for optimised in '' -O2; do
    works $cxx $mode -g $optimised f.cpp -o p && says 8001 ./p
    # inlined: no location for the directive
    [ -z "$optimised" ] && inlined=3 || inlined=2
    for at in "7 $inlined" '9 2' '15 3' '17 2' '25 2' "29 $inlined" '31 2'; do
      debug -ex 'set breakpoint pending on' -ex "break f.cpp:${at% *}" -ex run -ex 'info breakpoints' ./p
      shows "${at#* }" '^1\.[0-9]* *y '
    done
  done
done
# an enabled location stays enabled
works $cxx --static -g f.cpp -o p
debug -ex 'break f.cpp:9' -ex 'enable 1.1' -ex run -ex 'info breakpoints' ./p
shows 3 '^1\.[0-9]* *y '
shows 1 '^1\.1 *y '
if command -v perf >/dev/null && perf record -q -e cpu-clock -o perf.data true 2>/dev/null; then
  sed 's/i < 4; i++) r += i;/i < 200000000; i++) r ^= i;/' f.c >long.c
  for mode in --static ''; do # an image in memory is in the perf map file
    works $cc $mode -g -O1 long.c -o long
    works env SOLO_PERF_MAP=1 perf record -q -e cpu-clock -o perf.data ./long
    works perf report -i perf.data --stdio
    grep -q '__omp_offloading_.*main_l17' out || fail "perf does not name the kernel ($mode)"
  done
else
  echo "not tested: perf is not usable"
fi
done_testing
