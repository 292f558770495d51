# Description: checks compiler options of solo-cc, several sources, response files and paths with blanks.
name=compiler_options
. tests/tools/lib.sh
cat >f.h <<'END'
#define VALUE 7
END
cat >f.c <<'END'
#include "f.h"
#include <omp.h>
#include <stdio.h>
int main(void) {
  int r = 0;
#pragma omp target map(from : r)
  r = VALUE;
  printf("%d\n", r);
  return 0;
}
END
for mode in --static '--static --glibc' ''; do
  works $cc $mode -c f.c
  [ -f f.o ] || fail "-c wrote no f.o"
  works $cc $mode -MD -MF f.d -c -o g.o f.c
  grep -q 'f\.h' f.d || fail "-MD: f.h is not in f.d"
  works $cc $mode -E f.c -o f.i
  works $cc $mode -S f.c -o f.s
  works $cc $mode -MM f.c
  works $cc $mode -fsyntax-only f.c
  works $cc $mode --version
  works $cc $mode -print-search-dirs
  works $cc $mode -dumpmachine
done
works $cc --static -g f.c -o p
says 7 ./p
readelf -SW p | grep -q debug_info || fail "-g: no debug information"
works $cc --static -s f.c -o p
says 7 ./p
works $cc --static f.c -Wl,-Map,p.map -Wl,--defsym,xyz=3 -o p
[ -s p.map ] || fail "-Wl,-Map wrote no map"
mkdir -p 'a b'
cp f.c f.h 'a b'
works $cc --static 'a b/f.c' -o 'a b/p'
says 7 './a b/p'
echo '-O2 f.c -o q' >args
works $cc --static @args
says 7 ./q
$cc --static --show f.c -o p >shown 2>&1
for word in clang-19 'ld -r --force-group-allocation' objcopy libsolo; do
  grep -q -e "$word" shown || fail "--show does not print: $word"
done
for libc in '' --glibc; do
  works $cc $libc -static-pie f.c -o p
  says 7 ./p
  count 1 'static-pie linked' sh -c 'file p | grep -c static-pie'
  is_static p
done
SOLO_CLANG=clang-22 $cc --static --show f.c -o p 2>&1 | grep -q '^clang-22 ' || fail 'SOLO_CLANG: wrong C compiler'
SOLO_CLANG=clang-22 $cxx --show -c f.c -o p.o 2>&1 | grep -q '^clang++-22 ' || fail 'SOLO_CLANG: wrong C++ compiler'
works $cc --static -save-temps f.c -o p
says 7 ./p
# every kind of input; solo-cc must not warn under -Werror
cat >assembly.s <<'END'
	.globl six
six:	mov $6, %eax
	ret
	.section .note.GNU-stack,"",@progbits
END
sed 's/printf("%d\\n", r)/printf("%d\\n", r + six() - 6)/; s/^int main/int six(void);\n&/' f.c >s.c
sed 's/\$6/$SIX/; 1i #define SIX 6' assembly.s >assembly2.S
for mode in --static '--static --glibc' ''; do
  works $cc $mode -Werror s.c assembly.s -o p && says 7 ./p
  works $cc $mode -Werror s.c assembly2.S -o p && says 7 ./p
  works $cc $mode -Werror -E f.c -o f.i
  works $cc $mode -Werror -c f.c -o f.o
  works $cc $mode -Werror f.o -o p && says 7 ./p
  works $cc $mode -Werror --version
done
# Clang emits no device code for preprocessed source, so solo-cc preprocesses it again
works $cc --static -E f.c -o f.i
works $cc --static -c f.i -o fi.o
works $cc --static fi.o -o p && says 7 env OMP_TARGET_OFFLOAD=mandatory ./p
clang-19 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -c f.i -o fi.o
refused 'fi.o|no device code|from its source file' $cc --static --glibc fi.o -o p
works $cc --static --glibc --allow-host-only fi.o -o p
echo 'int twice(int x) { return 2 * x; }' >twice.c
cat >once.c <<'END'
#pragma omp begin declare target
int twice(int x) { return x; }
#pragma omp end declare target
END
sed 's/int twice/static int unused; int twice/' once.c >again.c
refused 'multiple definition|device code of NAME' $cc --static f.c once.c again.c -o p
sed 's/r = VALUE/{ extern int nobody(int); r = nobody(1); }/' f.c >nobody.c
refused 'nobody' $cc --static nobody.c -o p
echo 'int main(void) { return 0; }' >empty.c
works $cc --static empty.c -o p
works ./p
echo 'int main(void) { return 0 }' >wrong.c
refused 'wrong.c:1' $cc --static wrong.c -o p
works $cc --help
works $link --help
done_testing
