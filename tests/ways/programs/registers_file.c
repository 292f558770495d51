/* registers_file FILE [BYTES]: registers the first BYTES bytes of a file as an image and runs a
 * region. */
#include <stdio.h>
#include <stdlib.h>

typedef struct image {
  void *start, *end, *begin, *stop;
} image;
static struct {
  int n;
  image *images;
  void *begin, *end;
} descriptor;
static char key;
static struct {
  void *address;
  const char *name;
  unsigned long size;
  int flags, data;
} entry = {&key, "OUT__1__main__7__kernel__", 0, 0, 0};

void __tgt_register_lib(void *);
int __tgt_target_kernel(void *, long, int, int, void *, void *);

int main(int argc, char **argv) {
  static char bytes[1 << 20];
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (!file) return 2;
  size_t size = fread(bytes, 1, argc > 2 ? strtoul(argv[2], NULL, 10) : sizeof bytes, file);
  image one = {bytes, bytes + size, &entry, &entry + 1};
  struct {
    unsigned version, n;
    void *p[6];
    unsigned long trip, flags;
    unsigned d[7];
  } args = {.version = 3};
  descriptor.n = 1, descriptor.images = &one;
  descriptor.begin = &entry, descriptor.end = &entry + 1;
  __tgt_register_lib(&descriptor);
  return __tgt_target_kernel(0, -1, 0, 0, &key, &args) == 0;
}
