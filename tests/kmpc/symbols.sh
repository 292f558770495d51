#!/bin/sh
# Which runtime symbols Clang 19 and 22 emit for this folder's programs at -O0 and -O2, and whether
# a static program that refers to all of them links.
#   symbols.sh            compares with symbols.txt and links; symbols.sh --write: writes the list
set -eu
cd "$(dirname "$0")/../.."
out=build/tests/kmpc/symbols
mkdir -p $out
list=tests/kmpc/symbols.txt
: >$out/found
for compiler in clang-19 clang-22; do
  command -v $compiler >/dev/null || { echo "skipped: no $compiler"; exit 77; }
  for level in -O0 -O2; do
    for source in tests/kmpc/*.c; do
      flags=$(sed -n 's/^.*Flags: *\(.*[^ */]\).*$/\1/p' "$source" | head -n 1)
      $compiler $level -w -fopenmp -isystem build/include -I. $flags -c "$source" -o $out/x.o
      nm -u $out/x.o | awk '{print $2}' | grep -E '^(__kmpc|omp_|kmp_|ompx_)' |
        sed "s|\$| $compiler$level $(basename "$source")|" >>$out/found
    done
  done
done
# what omp.h declares counts as emitted
grep -oE '\b(omp|kmp)_[a-z0-9_]+\(' abi/include/omp.h | tr -d '(' | sort -u |
  grep -v '^omp_is_initial_device$' | sed 's/$/ omp.h -/' >>$out/found
# and so does what public programs are known to need
grep -v '^#' tests/kmpc/needed.txt | sed 's/$/ needed.txt -/' >>$out/found
sort -u $out/found | awk '{s[$1] = s[$1] " " $2; if ($3 != "-") p[$1] = $3}
  END {for (i in s) {n = split(s[i], a, " "); split("", u); t = ""
    for (j = 1; j <= n; j++) if (!(a[j] in u)) {u[a[j]] = 1; t = t " " a[j]}
    print i t " " p[i]}}' | LC_ALL=C sort >$out/symbols.txt
if [ "${1-}" = --write ]; then
  { echo "# symbol, by whom it is emitted or declared, and one program that needs it (symbols.sh)"
    cat $out/symbols.txt; } >$list
  exit 0
fi
grep -v '^#' $list | awk '{print $1}' >$out/known
awk '{print $1}' $out/symbols.txt >$out/now
if ! new=$(LC_ALL=C comm -13 $out/known $out/now) || [ -n "$new" ]; then
  echo "failed: not in $list:" $new
  exit 1
fi
# devices and interop are the core's: they are in the archive too, but not this folder's business
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
