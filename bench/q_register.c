/* A process that registers 1,000 images with 100 entries each, as 1,000 shared libraries would, and
 * launches one kernel of the last. The program is compiled without OpenMP and calls the
 * registration functions directly (entries of Clang 19, abi/tgt_types.h). IMAGE is the file with
 * the device code (build.sh). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { IMAGES = 1000, ENTRIES = 100 };

struct entry {
  void *address;
  char *name;
  size_t size;
  int32_t flags, data;
};

struct image {
  void *start, *end;
  struct entry *entries, *entries_end;
};

struct descriptor {
  int32_t count;
  struct image *images;
  struct entry *entries, *entries_end;
};

struct arguments {
  uint32_t version, count;
  void **base, **begin;
  int64_t *sizes, *types;
  void **names, **mappers;
  uint64_t trip_count, flags;
  uint32_t teams[3], threads[3], dynamic_memory;
};

void __tgt_register_lib(struct descriptor *d);
int __tgt_target_kernel(void *location, int64_t device, int32_t teams, int32_t threads, void *key,
                        struct arguments *a);

/* Static data, as in a real program. */
__asm__(".data\n"
        ".balign 16\n"
        "all_images:\n"
        ".rept 1000\n"
        ".balign 16\n"
        ".incbin \"" IMAGE "\"\n"
        ".balign 16\n"
        ".endr\n"
        "all_images_end:\n"
        "names:\n"
        ".set j, 0\n"
        ".rept 100\n"
        ".byte 'k', '0' + j / 10, '0' + j % 10, 0\n"
        ".set j, j + 1\n"
        ".endr\n"
        ".balign 16\n"
        "all_entries:\n"
        ".set i, 0\n"
        ".rept 1000\n"
        ".set j, 0\n"
        ".rept 100\n"
        ".quad all_keys + i, names + 4 * j, 0, 0\n"
        ".set i, i + 1\n"
        ".set j, j + 1\n"
        ".endr\n"
        ".endr\n"
        ".bss\n"
        "all_keys: .skip 100000\n"
        ".text\n");
extern char all_images[], all_images_end[], all_keys[];
extern struct entry all_entries[];

static struct image images[IMAGES];
static struct descriptor descriptors[IMAGES];

int main(void) {
  size_t image_bytes = (size_t)(all_images_end - all_images) / IMAGES;
  for (int i = 0; i < IMAGES; i++) {
    struct entry *entries = all_entries + (size_t)i * ENTRIES;
    char *start = all_images + (size_t)i * image_bytes;
    images[i] = (struct image){start, start + image_bytes, entries, entries + ENTRIES};
    descriptors[i] = (struct descriptor){1, &images[i], entries, entries + ENTRIES};
    __tgt_register_lib(&descriptors[i]);
  }
  long flag = 0;
  void *pointer = &flag;
  int64_t size = 8, type = 0x100 | 0x20; /* literal, kernel parameter */
  struct arguments a = {.version = 3,
                        .count = 1,
                        .base = &pointer,
                        .begin = &pointer,
                        .sizes = &size,
                        .types = &type,
                        .teams = {1},
                        .threads = {1}};
  int rc = __tgt_target_kernel(NULL, -1, 1, 1, &all_keys[IMAGES * ENTRIES - 1], &a);
  if (rc == 0 && flag == 42) return EXIT_SUCCESS;
  fprintf(stderr, "q_register: launch failed: last image: status %d, flag %ld\n", rc, flag);
  return EXIT_FAILURE;
}
