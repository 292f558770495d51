# Description: checks that special characters in paths and symbol names stay unchanged, and that no shell evaluates them.
name=odd_names
. tests/tools/lib.sh
pack=$tree/bin/solo-pack
odd=$(printf 'o "d"\\ $(touch shell)\n;x')
mkdir "$odd"
cat >f.c <<'END'
#include <stdio.h>
int main(void) {
  int r = 0;
#pragma omp target map(from : r)
  r = 1;
  printf("%d\n", r);
  return r - 1;
}
END
cp f.c "$odd/f.c"
export TMPDIR="$work/$odd"
works "$cc" --static "$odd/f.c" -o "$odd/f"
says 1 "$odd/f"
works "$pack" wrap -o w.o "$tree/images/gfx900.co"
works "$pack" wrap --cc=clang-19 -o w.o "$tree/images/gfx900.co"
works "$pack" list w.o
grep -q 'gfx900' out || fail "w.o does not contain the wrapped image"
export TMPDIR="$temporary"
[ -z "$(find "$odd" -name 'solo-*')" ] || fail "temporary files remain in $odd"

printf '#!/bin/sh\nexec clang-19 "$@"\n' >"$odd/clang'19"
chmod +x "$odd/clang'19"
SOLO_CLANG="$work/$odd/clang'19" works "$cc" f.c -o dynamic
says 1 ./dynamic

cat >s.c <<'END'
#include <stdio.h>
#pragma omp declare target
int odd __asm__("o\"d \\d\nname") = 7;
#pragma omp end declare target
int main(void) {
  int r = 0;
#pragma omp target map(from : r)
  r = odd;
  printf("%d\n", r);
  return r - 7;
}
END
works "$cc" --static s.c -o s
says 7 ./s
works "$cc" --static --runtime-images '--symbol=main' -Wl,--symbol='o"d \d
name' s.c -o t
says 7 ./t
nm t | grep -q solo_program_symbols || fail "no table of symbols"
[ -e shell ] || [ -e "$odd/shell" ] && fail "a shell evaluated a name"

# the demangler runs without a shell
cat >u.cpp <<'END'
#pragma omp declare target
int away(int);
#pragma omp end declare target
int main() {
  int r = 0;
#pragma omp target map(tofrom : r)
  r = away(r);
  return r;
}
END
"$cxx" --static u.cpp -o u >out 2>&1 && fail "the link with an undefined function succeeded"
done_testing
