# Description: checks that an image from a file uses only the symbols of a static program that --symbols-of or --symbol
# list, and that a missing symbol is reported.
name=runtime_symbols
. tests/tools/lib.sh
cat >kernel.c <<'END'
int abs(int);
int scale(int);
extern int offset;
void kernel(void *dyn, int *r) { *r = scale(abs(*r)) + offset; }
END
works gcc -shared -fPIC -nostdlib kernel.c -o kernel.so
cat >main.c <<'END'
#include <stdio.h>
#include <stdlib.h>
typedef struct { void *start, *end, *begin, *stop; } image;
struct { int n; image *images; void *begin, *end; } descriptor;
struct { unsigned version, n; void **bases, **begins; long *sizes, *types; void *names, *mappers;
         unsigned long trip, flags; unsigned teams[3], threads[3], shared; } args;
static char key;
static struct { void *address; char *name; unsigned long size; int flags, data; }
    entry = {&key, "kernel", 0, 0, 0};
void __tgt_register_lib(void *);
int __tgt_target_kernel(void *, long, int, int, void *, void *);
int offset = 2;
int scale(int x) { return 10 * x; }
int main(int argc, char **argv) {
  static char bytes[1 << 16];
  FILE *file = fopen(argv[1], "rb");
  size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
  image one = {bytes, bytes + size, &entry, &entry + 1};
  descriptor.n = 1, descriptor.images = &one, descriptor.begin = &entry, descriptor.end = &entry + 1;
  __tgt_register_lib(&descriptor);
  int r = -4;
  void *pointer = &r;
  long length = sizeof r, type = 0x23;
  args.version = 3, args.n = 1, args.bases = args.begins = &pointer;
  args.sizes = &length, args.types = &type;
  int status = __tgt_target_kernel(0, -1, 1, 1, &key, &args);
  printf("%d %d\n", status, r);
  return status;
}
END
for libc in musl glibc; do
  works $cc --static --$libc main.c --symbols-of=kernel.so -o p
  says '0 42' ./p kernel.so
  works $cc --static --$libc main.c --symbol=abs --symbol=scale --symbol=offset -o p
  says '0 42' ./p kernel.so
  works $cc --static --$libc main.c --symbol=abs --symbol=offset -o p
  refused 'symbol scale|--symbols-of' ./p kernel.so
done
refused 'nothing.so|cannot be read' $cc --static main.c --symbols-of=nothing.so -o p
refused 'main.c|not a shared object' $cc --static main.c --symbols-of=main.c -o p
done_testing
