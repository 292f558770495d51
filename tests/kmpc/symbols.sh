#!/bin/sh
# Description: checks that symbols.txt lists all runtime symbols that Clang 19 and 22 emit for these programs at
# -O0 and -O2, and that a static program with all of them links.
#   symbols.sh [COMPILER-LEVEL...]   default: all four; none: only the link (check.sh checks its objects)
#   symbols.sh --write               writes symbols.txt
set -eu
cd "$(dirname "$0")/../.."
out=build/tests/kmpc/symbols
write=no
[ "${1-}" != --write ] || { write=yes; shift; }
[ $# -gt 0 ] || set -- clang-19-O0 clang-19-O2 clang-22-O0 clang-22-O2
run=$out/$(echo "$*" | tr ' ' _) # test and soak may run concurrently
list=tests/kmpc/symbols.txt
rm -rf "$run"
mkdir -p "$run"
for row; do
  [ "$row" != none ] || continue
  compiler=${row%-O*} level=-O${row##*-O}
  command -v "$compiler" >/dev/null || { echo "skipped: no $compiler"; exit 77; }
  mkdir "$run/$row"
  for source in tests/kmpc/*.c; do
    flags=$(sed -n '/Flags: /{s/^.*Flags: *\(.*[^ */]\).*$/\1/p;q;}' "$source")
    $compiler $level -w -fopenmp -isystem build/include -I. $flags -c "$source" -o "$run/$row/$(basename "$source").o"
  done
done
out=$run
# lines "FOLDER/SOURCE.o: U NAME" become "NAME COMPILER-LEVEL SOURCE"
find $out -name '*.o' -exec nm -Au {} + | awk '$NF ~ /^(__kmpc|ompc?_|kmp_|ompx_)/ {
  n = split($1, path, "/"); sub(/[.]o:.*/, "", path[n]); print $NF, path[n - 1], path[n] }' >$out/found
# declared by omp.h
grep -oE '\b(omp|kmp)_[a-z0-9_]+\(' abi/include/omp.h | tr -d '(' | sort -u |
  grep -v '^omp_is_initial_device$' | sed 's/$/ omp.h -/' >>$out/found
# required by public programs
grep -v '^#' tests/kmpc/needed.txt | sed 's/$/ needed.txt -/' >>$out/found
sort -u $out/found | awk '{s[$1] = s[$1] " " $2; if ($3 != "-") p[$1] = $3}
  END {for (i in s) {n = split(s[i], a, " "); split("", u); t = ""
    for (j = 1; j <= n; j++) if (!(a[j] in u)) {u[a[j]] = 1; t = t " " a[j]}
    print i t " " p[i]}}' | LC_ALL=C sort >$out/symbols.txt
if [ $write = yes ]; then
  { echo "# symbol, its sources (compiler-level, header or list), and one program that uses it (symbols.sh)"
    cat $out/symbols.txt; } >$list
  exit 0
fi
grep -v '^#' $list | awk '{print $1}' >$out/known
awk '{print $1}' $out/symbols.txt >$out/now
if ! new=$(LC_ALL=C comm -13 $out/known $out/now) || [ -n "$new" ]; then
  echo "failed: missing in $list:" $new
  exit 1
fi
grep -vE '^(omp_target_|omp_get_(num_devices|device_num|initial_device|mapped_ptr|interop|num_interop|device_from_uid|uid_from_device))' \
  $out/known >$out/ours
{ awk '{print "extern char " $1 "[];"}' $out/ours
  echo 'char *volatile table[] = {'
  awk '{print "  " $1 ","}' $out/ours
  echo '0}; int main(void) { int n = 0; while (table[n]) n++; return n < 100; }'; } >$out/all.c
gcc -w -fno-builtin -c $out/all.c -o $out/all.o
gcc -static $out/all.o build/lib/glibc/libsolo.a build/lib/glibc/libsolo_atomic.a -o $out/all-glibc
musl-gcc -static $out/all.o build/lib/musl/libsolo.a build/lib/musl/libsolo_atomic.a -o $out/all-musl
$out/all-glibc && $out/all-musl
echo "$(wc -l <$out/ours) symbols link"
