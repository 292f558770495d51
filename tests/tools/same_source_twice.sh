# Description: compiles a source twice with different -D, so that two kernels have one name. Each object must run the
# kernel of that object, or the link must fail.
name=same_source_twice
. tests/tools/lib.sh
cat >f.c <<'END'
static int run(int x) {
  int r = 0;
#pragma omp target map(from : r) firstprivate(x)
  r = x + VALUE;
#pragma omp target teams distribute parallel for map(tofrom : r)
  for (int i = 0; i < 1; i++) r *= VALUE;
  return r;
}
int NAME(int x) { return run(x); }
END
cat >main.c <<'END'
#include <stdio.h>
int first(int), second(int), third(int);
int main(void) {
  printf("%d %d %d\n", first(1), second(1), third(1));
  return 0;
}
END
for clang in clang-19 clang-22; do
  works $cc --clang=$clang --static -c -O1 -DNAME=first -DVALUE=2 f.c -o f1.o
  works $cc --clang=$clang --static -c -O1 -DNAME=second -DVALUE=3 f.c -o f2.o
  works $cc --clang=$clang --static -c -g -DNAME=third -DVALUE=4 f.c -o f3.o
  works $cc --clang=$clang --static main.c f1.o f2.o f3.o -o p
  says '6 12 20' ./p
  works $cc --clang=$clang --static f3.o f2.o f1.o main.c -o p
  says '6 12 20' ./p
  rm -f lib12.a
  ar rcs lib12.a f1.o f2.o
  works $cc --clang=$clang --static main.c f3.o lib12.a -o p
  says '6 12 20' ./p
  works $cc --clang=$clang --static -fuse-ld=lld main.c f3.o -L. -l12 -o p
  says '6 12 20' ./p
  refused 'f3.o|lib12.a(f1.o)|same name|--whole-archive' \
    $cc --clang=$clang --static main.c f3.o -Wl,--whole-archive lib12.a -Wl,--no-whole-archive -o p
  refused 'f1.o|f2.o|same name|copy of its source' \
    $link --libc=musl --device-object=d.o f1.o f2.o
  # ld -r: two kernels with one name in an object
  ld -r f1.o f2.o -o joined.o
  refused 'joined.o|two kernels named' $cc --clang=$clang --static main.c joined.o f3.o -o p
done
done_testing
