# Description: checks that programs with only linked images use libsolo_linked.a, and other programs libsolo.a.
# libsolo_linked.a must reject other images with a remedy.
name=runtime_images
. tests/tools/lib.sh
cat >region.c <<'END'
int main(void) {
  int r = 1;
#pragma omp target map(from : r)
  r = 0;
  return r;
}
END
cat >registers.c <<'END'
struct { int n; void *images, *begin, *end; } empty;
void __tgt_register_lib(void *);
int main(void) {
  __tgt_register_lib(&empty);
  return 0;
}
END
for libc in musl glibc; do
  $cc --static --$libc --show region.c -o p >shown 2>&1
  checks=$((checks + 1))
  grep -q libsolo_linked.a shown || fail "$libc: a program with only linked images is linked with libsolo.a"
  works ./p
  $cc --static --$libc --show --runtime-images region.c -o p >shown 2>&1
  checks=$((checks + 1))
  grep -q libsolo.a shown || fail "$libc: --runtime-images does not link libsolo.a"
  works ./p
  $cc --static --$libc --show registers.c -o q >shown 2>&1
  checks=$((checks + 1))
  grep -q libsolo.a shown || fail "$libc: a program that registers images is not linked with libsolo.a"
  works ./q
done
$cc --static region.c -o p && $cc --static --runtime-images region.c -o r
small=$(strip -o s1 p && wc -c <s1) whole=$(strip -o s2 r && wc -c <s2)
checks=$((checks + 1))
[ "$small" -lt $((whole - 60000)) ] || fail "program with libsolo_linked.a: $small bytes, with libsolo.a: $whole"
works $cc --static -c registers.c
cat >elf.c <<'END'
#include <stdio.h>
typedef struct { void *start, *end, *begin, *stop; } image;
struct { int n; image *images; void *begin, *end; } descriptor;
static char key, elf[64] = "\177ELF\2\1\1";
static struct { void *address; char *name; unsigned long size; int flags, data; } entry = {&key, "k", 0, 0, 0};
static image one = {elf, elf + sizeof elf, &entry, &entry + 1};
void __tgt_register_lib(void *);
int __tgt_target_kernel(void *, long, int, int, void *, void *);
int main(void) {
  struct { unsigned version, n; void *p[6]; unsigned long trip, flags; unsigned d[7]; } args = {.version = 3};
  descriptor.n = 1, descriptor.images = &one, descriptor.begin = &entry, descriptor.end = &entry + 1;
  __tgt_register_lib(&descriptor);
  printf("%d\n", __tgt_target_kernel(0, -1, 0, 0, &key, &args) != 0);
  return 0;
}
END
works gcc -w elf.c -static -L"$tree/lib/glibc" -lsolo_linked -o e
checks=$((checks + 1))
SOLO_DEBUG=1 ./e >out 2>&1
grep -q -- '--runtime-images' out || { fail 'the message for a registered image does not name --runtime-images'; cat out; }
done_testing
