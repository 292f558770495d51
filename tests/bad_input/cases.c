/* Executes one erroneous case, the first argument. run.sh lists the expected messages and exit
 * status. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The registration interface. */
typedef struct image {
  void *start, *end, *entries_begin, *entries_end;
} image;
typedef struct descriptor {
  int count;
  image *images;
  void *entries_begin, *entries_end;
} descriptor;
typedef struct entry {
  unsigned long long reserved;
  unsigned short version, kind;
  unsigned flags;
  void *address;
  const char *name;
  unsigned long long size, data;
  void *auxiliary;
} entry;
typedef struct kernel_args {
  unsigned version, count;
  void *arrays[6];
  unsigned long long trip_count, flags;
  unsigned teams[3], threads[3], shared;
} kernel_args;
void __tgt_register_lib(descriptor *);
void __tgt_target_data_begin_mapper(void *, long, int, void **, void **, long *, long *, void **,
                                    void **);
void __tgt_target_data_end_mapper(void *, long, int, void **, void **, long *, long *, void **,
                                  void **);
void __tgt_target_data_update_mapper(void *, long, int, void **, void **, long *, long *, void **,
                                     void **);
long __tgt_mapper_num_components(void *);
void __tgt_push_mapper_component(void *, void *, void *, long, long, void *);
int __tgt_target_kernel(void *, long, int, int, void *, kernel_args *);

static int host_ran;

static void unknown_device(void) {
#pragma omp target device(7) map(tofrom : host_ran)
  host_ran = omp_is_initial_device();
}

static void present_miss(void) {
  int missing[10] = {0};
#pragma omp target map(present, tofrom : missing)
  missing[0] = 1;
  host_ran = missing[0];
}

static void null_pointer(void) {
  volatile int *volatile unset = NULL;
  int *unallocated = (int *)unset, n = 10;
#pragma omp target enter data map(alloc : unallocated [0:n]) /* alloc copies nothing */
#pragma omp target exit data map(delete : unallocated [0:n])
#pragma omp target map(tofrom : unallocated [2:n]) map(from : host_ran)
  host_ran = omp_is_initial_device() && !unallocated;
}

static void null_member(void) {
  struct holder {
    int count, *elements;
  } holder = {10, NULL};
#pragma omp target data map(to : holder) map(from : holder.elements [0:holder.count])
  host_ran = omp_get_num_devices();
}

static void overlap(void) {
  int v[20] = {0}, *p = v;
#pragma omp target enter data map(to : p [0:10])
#pragma omp target map(tofrom : p [5:10])
  p[5] = 1;
  host_ran = v[5];
}

static void present_and_overlap(void) {
  int v[20] = {0}, *p = v;
#pragma omp target enter data map(to : p [0:10])
#pragma omp target map(present, tofrom : p [5:10])
  p[5] = 1;
  host_ran = v[5];
}

/* The update range exceeds the mapping: nothing is transferred, and the program continues. */
static void update_out_of_range(void) {
  int v[20] = {0}, *p = v;
#pragma omp target enter data map(to : p [0:10])
#pragma omp target
  p[5] = 1;
#pragma omp target update from(p [5:10])
  host_ran = v[5];
}

static void update_present_miss(void) {
  int v[20] = {0}, *p = v;
#pragma omp target enter data map(to : p [0:10])
#pragma omp target update from(present : p [5:10])
  host_ran = 1;
}

static void exit_present_miss(void) {
  int missing[10] = {0};
#pragma omp target exit data map(present, from : missing)
  host_ran = 1;
}

static void empty_present_miss(void) {
  int v[20] = {0}, *p = v;
#pragma omp target map(present, tofrom : p [0:0])
  host_ran = omp_is_initial_device();
  host_ran = 1;
}

static void hold(int counted) {
  int v[4] = {0};
  const int device = omp_get_default_device();
  void *copy = omp_target_alloc(sizeof v, device);
  if (!counted) omp_target_associate_ptr(v, copy, sizeof v, 0, device);
#pragma omp target data map(ompx_hold, alloc : v)
  host_ran = omp_target_disassociate_ptr(v, device) != 0;
  omp_target_free(copy, device);
}

static void disassociate_held(void) {
  hold(0);
}

static void disassociate_held_only(void) {
  hold(1);
}

static void no_memory(void) {
  size_t n = (size_t)1 << 60;
  char *big = (char *)0x100000000;
#pragma omp target enter data map(alloc : big [0:n])
  host_ran = 1;
}

static int launch(void *key, unsigned version) {
  kernel_args args = {.version = version, .teams = {1}};
  return __tgt_target_kernel(NULL, 0, -1, 0, key, &args);
}

static void register_image(void *bytes, size_t size, entry *e) {
  static image i;
  static descriptor d;
  i = (image){bytes, (char *)bytes + size, e, e + 1};
  d = (descriptor){1, &i, e, e + 1};
  __tgt_register_lib(&d);
}

static void other_architecture(void) {
  static unsigned char elf[4096] = {0x7f, 'E', 'L', 'F', 2, 1, 1,   0, 0, 0, 0, 0,
                                    0,    0,   0,   0,   3, 0, 183, 0, 1, 0, 0, 0};
  elf[52] = 64; /* e_ehsize */
  static char key;
  static entry e = {0, 1, 1, 0, &key, "kernel", 0, 0, NULL};
  register_image(elf, sizeof elf, &e);
  host_ran = launch(&key, 3) != 0;
}

typedef struct linked {
  unsigned long long magic;
  unsigned version, flags, copies, machine;
  unsigned long long count;
  void *symbols;
} linked;

static void missing_kernel(void) {
  static linked empty = {0x6b6e6c2d6f6c6f73ull, 1, 0, 1, 62, 0, NULL};
  static char key;
  static entry e = {0, 1, 1, 0, &key, "no_such_kernel", 0, 0, NULL};
  register_image(&empty, sizeof empty, &e);
  host_ran = launch(&key, 3) != 0;
}

static void unregistered_region(void) {
  static char key;
  host_ran = launch(&key, 3) != 0;
}

static void corrupt_descriptor(void) {
  static entry e[2];
  static descriptor backwards = {0, NULL, &e[1], &e[0]};
  __tgt_register_lib(&backwards);
  static descriptor odd = {0, NULL, e, (char *)e + 33};
  __tgt_register_lib(&odd);
  static descriptor no_images = {3, NULL, NULL, NULL};
  __tgt_register_lib(&no_images);
  __tgt_register_lib(NULL);
  host_ran = 1;
}

static void corrupt_image(void) {
  static unsigned char junk[64] = "not an image at all";
  static char key;
  static entry e = {0, 1, 1, 0, &key, "kernel", 0, 0, NULL};
  register_image(junk, sizeof junk, &e);
  host_ran = launch(&key, 3) != 0;
}

static void new_arguments(void) {
  host_ran = launch(&host_ran, 9) != 0;
}

static void no_work(void *hidden) {
  (void)hidden;
}

/* Returns the key of a registered kernel. */
static void *a_kernel(void) {
  static struct {
    const char *name;
    void *address;
    unsigned long long size;
  } symbol = {"k", NULL, 0};
  static linked image = {0x6b6e6c2d6f6c6f73ull, 1, 0, 1, 62, 1, &symbol};
  static char key;
  static entry e = {0, 1, 1, 0, &key, "k", 0, 0, NULL};
  symbol.address = (void *)no_work;
  register_image(&image, sizeof image, &e);
  return &key;
}

/* Each of the four arrays is NULL in turn. */
static void kernel_missing_arrays(void) {
  static void *address[1] = {&host_ran};
  static long number[1] = {4};
  void *arrays[4] = {address, address, number, number}, *key = a_kernel();
  for (int missing = 0; missing < 4; missing++) {
    kernel_args args = {.version = 3, .count = 1, .teams = {1}};
    for (int i = 0; i < 4; i++) args.arrays[i] = i == missing ? NULL : arrays[i];
    host_ran += __tgt_target_kernel(NULL, 0, -1, 0, key, &args) != 0;
  }
  host_ran = host_ran == 4;
}

/* The cached mapping of `once` is no present data, so a present modifier must fail. */
static void present_cached(void) {
  static int once[1];
  static void *address[1] = {once};
  static long size[1] = {sizeof once}, type[1] = {0x23};
  void *key = a_kernel();
  kernel_args args = {
      .version = 3, .count = 1, .arrays = {address, address, size, type}, .teams = {1}};
  for (int i = 0; i < 3; i++)
    if (__tgt_target_kernel(NULL, 0, -1, 0, key, &args)) return;
  type[0] |= 0x1000;
  host_ran = __tgt_target_kernel(NULL, 0, -1, 0, key, &args) != 0;
}

static void kernel_count(void) {
  kernel_args args = {.version = 1, .count = 0x80000000u};
  host_ran = __tgt_target_kernel(NULL, 0, -1, 0, a_kernel(), &args) != 0;
}

static void kernel_nothing(void) {
  host_ran = __tgt_target_kernel(NULL, 0, -1, 0, &host_ran, NULL) != 0;
}

static void data_missing_arrays(void) {
  static void *address[1] = {&host_ran};
  static long number[1] = {4};
  __tgt_target_data_begin_mapper(NULL, 0, 1, NULL, address, number, number, NULL, NULL);
  __tgt_target_data_update_mapper(NULL, 0, 1, address, NULL, number, number, NULL, NULL);
  __tgt_target_data_end_mapper(NULL, 0, 1, address, address, NULL, number, NULL, NULL);
  __tgt_target_data_end_mapper(NULL, 0, 1, address, address, number, NULL, NULL, NULL);
  __tgt_target_data_begin_mapper(NULL, 0, -1, address, address, number, number, NULL, NULL);
  host_ran = 1;
}

static void no_components(void) {
  host_ran = __tgt_mapper_num_components(NULL) == 0;
  __tgt_push_mapper_component(NULL, &host_ran, &host_ran, 4, 3, NULL);
}

/* No error must occur: Clang passes one entry for the whole struct, which the runtime must skip if
 * only a part of the struct is mapped. */
struct parts {
  int a, *elements;
};
#pragma omp declare mapper(struct parts v) map(v.a, v.elements [0:2])
static void update_mapped_part(void) {
  static int elements[2];
  struct parts parts = {1, elements};
#pragma omp target enter data map(alloc : parts.a, elements)
#pragma omp target update to(parts)
#pragma omp target exit data map(delete : parts.a, elements)
}

static void user_warning(void) {
#pragma omp error at(execution) severity(warning) message("by the program")
  host_ran = 0;
}

static void no_error(void) {
#pragma omp target map(from : host_ran)
  host_ran = omp_is_initial_device();
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } cases[] = {{"unknown_device", unknown_device},
               {"present_miss", present_miss},
               {"null_pointer", null_pointer},
               {"null_member", null_member},
               {"overlap", overlap},
               {"present_and_overlap", present_and_overlap},
               {"update_out_of_range", update_out_of_range},
               {"update_present_miss", update_present_miss},
               {"exit_present_miss", exit_present_miss},
               {"empty_present_miss", empty_present_miss},
               {"disassociate_held", disassociate_held},
               {"disassociate_held_only", disassociate_held_only},
               {"no_memory", no_memory},
               {"other_architecture", other_architecture},
               {"missing_kernel", missing_kernel},
               {"unregistered_region", unregistered_region},
               {"corrupt_descriptor", corrupt_descriptor},
               {"corrupt_image", corrupt_image},
               {"new_arguments", new_arguments},
               {"kernel_missing_arrays", kernel_missing_arrays},
               {"present_cached", present_cached},
               {"kernel_count", kernel_count},
               {"kernel_nothing", kernel_nothing},
               {"data_missing_arrays", data_missing_arrays},
               {"no_components", no_components},
               {"update_mapped_part", update_mapped_part},
               {"user_warning", user_warning},
               {"no_error", no_error}};
  for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
    if (strcmp(argv[1], cases[i].name) == 0) {
      cases[i].run();
      printf("after: host %d\n", host_ran);
      return 0;
    }
  printf("no such case\n");
  return 2;
}
