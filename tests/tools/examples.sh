# Description: runs all static examples with both Clangs and checks answers, linkage and opened files. An example with a
# wrong answer must exit with 1.
name=examples
. tests/tools/lib.sh
cd "$tree/.." || exit 1
for clang in clang-19 clang-22; do
  checks=$((checks + 1))
  wanted=8 flang=none # Fortran once
  if [ $clang = clang-22 ] && command -v "${SOLO_FLANG:-flang-22}" >/dev/null; then
    wanted=10 flang=${SOLO_FLANG:-flang-22}
  fi
  SOLO_FLANG=$flang CLANG=$clang sh examples/demo.sh "$tree/bin" >"$work/demo.$clang" 2>&1 || {
    fail "examples/demo.sh with $clang"
    sed 's/^/    /' "$work/demo.$clang"
  }
  count $wanted "right answers with their unit ($clang)" grep -c '[0-9] [a-z ]*: right$' "$work/demo.$clang"
  count $wanted "on a device ($clang)" grep -c 'on device 0 of 1$' "$work/demo.$clang"
  count $wanted "statically linked ($clang)" grep -c 'statically linked' "$work/demo.$clang"
done
for program in build/examples/*; do
  is_static "$program"
  if command -v strace >/dev/null; then
    count 0 "shared objects that $program opens" sh -c \
      "strace -f -e trace=open,openat $program 2>&1 >/dev/null | grep -c '\.so'"
  fi
done
# bound on the size of a stripped program
checks=$((checks + 1))
size=0
$cc --static -O2 examples/zaxpy.c -o "$work/z" -lm && strip "$work/z" && size=$(wc -c <"$work/z")
[ "$size" -le 163840 ] || fail "static musl zaxpy has $size bytes stripped, limit 163840"
cd "$work" || exit 1
sed 's/double complex expected = a \*/double complex expected = 1.1 * a */' \
  "$tree/../examples/zaxpy.c" >zaxpy.c
works $cc --static -O2 -I"$tree/../examples" zaxpy.c -lm -o wrong
checks=$((checks + 1))
./wrong >out && fail "a wrong answer exits with 0"
grep -q WRONG out || fail "a wrong answer is not reported"
done_testing
