/* Description: checks function-pointer translation with each way to look up a function (kernels.c)
 * and 0 to 100,000 entries. The entries have the format of Clang or of docs/abi-facts.md, 12, or come
 * from __tgt_rtl_set_function_ptr_map. Also checks pointers in structs, virtual calls, and
 * launches while a library is loaded and unloaded. Arguments: cpu or an image of kernels.c;
 * "tables", or "stress" and rounds. */
#define SOLO_INDIRECT_DEVICE 1 /* required by kernels.c */
#include "abi/include/omp.h"
#include "abi/include/solo_indirect.h"
#include "abi/include/tgt_rtl.h"
#include "abi/tgt.h"
#include "runtime/device/devices.h"
#include "runtime/device/fptr.h"
#include "runtime/image/linked.h"
#include "tests/unit/test.h"
#include <pthread.h>
#include <stdatomic.h>

#define TEST_FPTR_CPU 1
#include "tests/fptr/kernels.c"

const void *host_table(void);
void *host_object(unsigned long *size, void **second);
int host_calls(void);
extern const void *const both_table;

enum { TO = 1, FROM = 2, PARAM = 0x20, LITERAL = 0x100, INDIRECT = 8, VTABLE = 0x20 };
enum { FUNCTIONS = 8, FIXED = 3, MOST = 100000, SAMPLES = 1000, THREADS = 3 };

#define SYMBOL(k)                                                                                  \
  { "device_" #k, (void *)(uintptr_t)device_##k, 0 }
#define POINTER(k)                                                                                 \
  { "device_l" #k, &device_l##k, 8 }
static const solo_linked_symbol symbols[] = {
    {"__omp_offloading_fptr_map_p", &__omp_offloading_fptr_map_p, 8},
    {"__omp_offloading_fptr_map_size", &__omp_offloading_fptr_map_size, 8},
    {"__omp_rtl_device_environment", __omp_rtl_device_environment, 48},
    {"both_table", (void *)(uintptr_t)&both_table, 8},
    SYMBOL(0),
    SYMBOL(1),
    SYMBOL(2),
    SYMBOL(3),
    SYMBOL(4),
    SYMBOL(5),
    SYMBOL(6),
    SYMBOL(7),
    POINTER(0),
    POINTER(1),
    POINTER(2),
    POINTER(3),
    POINTER(4),
    POINTER(5),
    POINTER(6),
    POINTER(7),
    {"lookup", (void *)(uintptr_t)lookup, 0},
    {"members", (void *)(uintptr_t)members, 0}};
static const solo_linked_image linked = {SOLO_LINKED_MAGIC,
                                         SOLO_LINKED_VERSION,
                                         0,
                                         1,
                                         SOLO_ARCH_ELF_MACHINE,
                                         sizeof symbols / sizeof *symbols,
                                         symbols};
static char file_bytes[1 << 18];
static tgt_device_image image; /* has no entries; each library adds its entries */
static int on_cpu;

/* Host functions for the first FUNCTIONS entries of a library. The other entries have addresses
 * that belong to no function. */
#define HOST(k)                                                                                    \
  static int host_##k(int x) {                                                                     \
    return x + k;                                                                                  \
  }
HOST(0)
HOST(1)
HOST(2)
HOST(3)
HOST(4)
HOST(5)
HOST(6)
HOST(7)

static function *const host_functions[FUNCTIONS] = {host_0, host_1, host_2, host_3,
                                                    host_4, host_5, host_6, host_7};

typedef enum form { FORM_CLANG, FORM_SEED } form;

typedef struct library {
  char key_lookup, key_members;
  tgt_entry_19 *entries;
  size_t pairs;
  /* first address of the entries without functions; 0: the first entries are the real host
   * functions */
  uint64_t base;
  tgt_device_image image;
  tgt_bin_desc descriptor;
} library;

/* Returns the host address of pair i. The device address of the pair is the address of device
 * function i % FUNCTIONS. */
static uint64_t host_of(const library *l, size_t i) {
  if (!l->base && i < FUNCTIONS) return (uintptr_t)host_functions[i];
  return (l->base ? l->base : UINT64_C(0x7000000000)) + (i * 2654435761u % MOST * 64 + i % 4 * 16);
}

static void library_make(library *l, size_t pairs, uint64_t base, form form) {
  static const char *const pointers[] = {"device_l0", "device_l1", "device_l2", "device_l3",
                                         "device_l4", "device_l5", "device_l6", "device_l7"};
  static const char *const functions[] = {"device_0", "device_1", "device_2", "device_3",
                                          "device_4", "device_5", "device_6", "device_7"};
  *l = (library){.pairs = pairs, .base = base, .image = image};
  tgt_entry_19 *e = l->entries = calloc(pairs + FIXED, sizeof *e);
  if (!e) exit(2);
  e[0] = (tgt_entry_19){&l->key_lookup, (char *)(uintptr_t) "lookup", 0, 0, 0};
  e[1] = (tgt_entry_19){&l->key_members, (char *)(uintptr_t) "members", 0, 0, 0};
  /* one virtual table of 8 words */
  e[2] = (tgt_entry_19){(void *)(uintptr_t)host_table(), (char *)(uintptr_t) "both_table", 64,
                        VTABLE, 0};
  size_t fixed = pairs && !base ? FIXED : FIXED - 1;
  for (size_t i = 0; i < pairs; i++) {
    const char *name = (form == FORM_SEED && on_cpu ? functions : pointers)[i % FUNCTIONS];
    e[fixed + i] = (tgt_entry_19){(void *)(uintptr_t)host_of(l, i), (char *)(uintptr_t)name,
                                  form == FORM_SEED ? 0 : 8, INDIRECT, 0};
  }
  l->image.entries_begin = e;
  l->image.entries_end = e + fixed + pairs;
  l->descriptor = (tgt_bin_desc){1, &l->image, e, e + fixed + pairs};
  __tgt_register_lib(&l->descriptor);
}

static void library_drop(library *l) {
  __tgt_unregister_lib(&l->descriptor);
  free(l->entries);
}

typedef struct arguments {
  void *bases[8];
  int64_t sizes[8], types[8];
  uint32_t count;
} arguments;

static void map(arguments *a, const void *base, size_t size, int64_t type) {
  a->bases[a->count] = (void *)(uintptr_t)base;
  a->sizes[a->count] = (int64_t)size;
  a->types[a->count++] = type | PARAM;
}

static void literal(arguments *a, uint64_t value) {
  map(a, (void *)(uintptr_t)value, 8, LITERAL);
}

static int region(void *key, arguments *a, uint32_t threads) {
  tgt_kernel_args args = {.version = 3,
                          .count = a->count,
                          .bases = a->bases,
                          .begins = a->bases,
                          .sizes = a->sizes,
                          .types = a->types,
                          .num_teams = {1, 0, 0},
                          .thread_limit = {threads, 0, 0}};
  return __tgt_target_kernel(NULL, -1, 1, (int32_t)threads, key, &args);
}

/* Looks up at most SAMPLES pairs, including the last pair, and neighbouring addresses. Returns the
 * number of wrong results. */
static int look(const library *l, size_t declared, void *key, uint64_t way) {
  size_t step = l->pairs > SAMPLES ? l->pairs / SAMPLES : 1, n = 0;
  uint64_t hosts[3 * SAMPLES + 8];
  int out[3 * SAMPLES + 8], expected[3 * SAMPLES + 8], wrong = 0;
  for (size_t i = 0; i < l->pairs && n < 3 * SAMPLES; i += step) {
    size_t at = i + step >= l->pairs ? l->pairs - 1 : i;
    expected[n] = at < declared ? 420 + (int)(at % FUNCTIONS) : UNCHANGED;
    hosts[n++] = host_of(l, at);
    for (int d = -1; d <= 1; d += 2) {
      expected[n] = UNCHANGED;
      hosts[n++] = host_of(l, at) + (uint64_t)(int64_t)d;
    }
  }
  for (uint64_t i = 0; i < 3; i++, n++) hosts[n] = i - 1, expected[n] = UNCHANGED;
  memset(out, 0x55, sizeof out);
  arguments a = {.count = 0};
  map(&a, out, n * sizeof *out, TO | FROM);
  map(&a, hosts, n * sizeof *hosts, TO);
  literal(&a, n);
  literal(&a, way);
  literal(&a, 42);
  if (region(key, &a, 32) != 0) return -1;
  for (size_t i = 0; i < n; i++) wrong += out[i] != expected[i];
  return wrong;
}

/* A struct, its array, and an object with two virtual tables. */
static void check_members(library *l) {
  methods m = {host_0, {host_1, host_2}, NULL, NULL};
  unsigned long bytes;
  void *second;
  char *object = host_object(&bytes, &second);
  long out[4] = {0};
  arguments a = {.count = 0};
  map(&a, out, sizeof out, FROM);
  map(&a, &m, sizeof m, TO);
  void *bases[] = {object};
  int64_t sizes[] = {(int64_t)bytes}, types[] = {TO | FROM};
  __tgt_target_data_begin_mapper(NULL, -1, 1, bases, bases, sizes, types, NULL, NULL);
  uint64_t on_device = (uintptr_t)omp_get_mapped_ptr(object, 0);
  literal(&a, on_device);
  literal(&a, on_device + (uint64_t)((char *)second - object));
  CHECK_INT(region(&l->key_members, &a, 1), 0);
  __tgt_target_data_end_mapper(NULL, -1, 1, bases, bases, sizes, types, NULL, NULL);
  CHECK_INT(out[0], 50);
  CHECK_INT(out[1], 61 + 72);
  CHECK_INT(out[2], 1025);
  CHECK_INT(out[3], 1074);
  CHECK_INT(host_calls() > 0, 1);
}

static void check_size(size_t pairs, form form) {
  library l;
  library_make(&l, pairs, 0, form);
  for (uint64_t way = 0; way < WAYS; way++) CHECK_INT(look(&l, pairs, &l.key_lookup, way), 0);
  if (pairs >= 3) check_members(&l);
  library_drop(&l);
}

/* Calls __tgt_rtl_set_function_ptr_map with a table of this test. */
static void check_set(size_t pairs) {
  library l;
  library_make(&l, FUNCTIONS, 0, FORM_CLANG);
  CHECK_INT(look(&l, FUNCTIONS, &l.key_lookup, SEED), 0);
  l.pairs = pairs ? pairs : 1;
  __omp_offloading_fptr_map_ty *table = calloc(l.pairs, sizeof *table);
  if (!table) exit(2);
  solo_device *device;
  CHECK_INT(solo_device_get(0, &device), SOLO_OK);
  uint64_t counterpart[FUNCTIONS];
  for (size_t i = 0; i < FUNCTIONS; i++)
    counterpart[i] = (uintptr_t)solo_fptr_translate(device, (void *)(uintptr_t)host_of(&l, i));
  for (size_t i = 0; i < pairs; i++)
    table[i] = (__omp_offloading_fptr_map_ty){(int64_t)host_of(&l, i),
                                              (int64_t)counterpart[i % FUNCTIONS]};
  __tgt_rtl_set_function_ptr_map(0, pairs, table);
  CHECK_INT(solo_error_last()->status, SOLO_OK);
  for (uint64_t way = 0; way < WAYS; way++) CHECK_INT(look(&l, pairs, &l.key_lookup, way), 0);
  __tgt_rtl_set_function_ptr_map(omp_get_num_devices(), pairs, table);
  CHECK(solo_error_last()->status != SOLO_OK);
  free(table);
  library_drop(&l);
}

/* Pairs that the program adds complement the pairs of libraries. Of two pairs for one address, the
 * later pair is valid. */
static void check_added(void) {
  library l;
  library_make(&l, 3, 0, FORM_CLANG);
  solo_device *device;
  CHECK_INT(look(&l, 3, &l.key_lookup, SOLO), 0);
  CHECK_INT(solo_device_get(0, &device), SOLO_OK);
  solo_indirect_pair given[] = {{0x1110, 1}, {0x2220, 2}};
  CHECK_INT(solo_indirect_add(0, given, 2), 0);
  given[0].target = 3;
  CHECK_INT(solo_indirect_add(0, given, 1), 0);
  CHECK_INT((intptr_t)solo_fptr_translate(device, (void *)0x1110), 3);
  CHECK_INT((intptr_t)solo_fptr_translate(device, (void *)0x2220), 2);
  for (uint64_t way = 0; way < WAYS; way++) CHECK_INT(look(&l, 3, &l.key_lookup, way), 0);
  CHECK(solo_indirect_add(0, NULL, 1) != 0);
  CHECK(solo_indirect_add(99, given, 1) != 0);
  library_drop(&l);
  CHECK_INT((intptr_t)solo_fptr_translate(device, (void *)0x2220), 2);
}

static atomic_int stop, launched, wrong_answers;
static library resident;

static void *launch_repeatedly(void *unused) {
  (void)unused;
  while (!stop) {
    if (look(&resident, FUNCTIONS, &resident.key_lookup, SOLO) != 0) wrong_answers++;
    launched++;
  }
  return NULL;
}

static void check_stress(int rounds) {
  pthread_t threads[THREADS];
  solo_block *block = NULL;
  solo_device *device;
  library_make(&resident, FUNCTIONS, 0, FORM_CLANG);
  CHECK_INT(look(&resident, FUNCTIONS, &resident.key_lookup, SOLO), 0);
  CHECK_INT(solo_device_get(0, &device), SOLO_OK);
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, launch_repeatedly, NULL);
  for (int round = 0; round < rounds; round++) {
    /* the addresses of guest are below or above the addresses of the resident library */
    library guest;
    library_make(&guest, 100, round % 2 ? 0x1000 : UINT64_C(0x7ff000000000), FORM_CLANG);
    CHECK_INT(look(&guest, 100, &guest.key_lookup, SOLO), 0);
    int before = launched;
    while (launched < before + 2) sched_yield();
    library_drop(&guest);
    CHECK_INT(look(&resident, FUNCTIONS, &resident.key_lookup, SOLO), 0);
    if (round == 0) block = device->fptr_block;
    CHECK(!on_cpu || device->fptr_block == block); /* the table is reused */
  }
  stop = 1;
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  CHECK_INT(wrong_answers, 0);
  CHECK(launched > 0);
  library_drop(&resident);
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {0, 1, 2, 3, 1000, MOST};
  if (argc < 3) return 2;
  on_cpu = strcmp(argv[1], "cpu") == 0;
  if (on_cpu) {
    image.image_start = (void *)(uintptr_t)&linked;
    image.image_end = (char *)(uintptr_t)&linked + sizeof linked;
  } else {
    FILE *f = fopen(argv[1], "rb");
    size_t size = f ? fread(file_bytes, 1, sizeof file_bytes, f) : 0;
    if (!size) return 2;
    fclose(f);
    image.image_start = file_bytes;
    image.image_end = file_bytes + size;
  }
  if (strcmp(argv[2], "stress") == 0) {
    check_stress(argc > 3 ? atoi(argv[3]) : 100);
    return TEST_RESULT();
  }
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    check_size(sizes[i], FORM_CLANG);
    /* on a GPU both forms are read in the same way */
    if (on_cpu || sizes[i] < MOST) check_size(sizes[i], FORM_SEED);
    check_set(sizes[i]);
  }
  check_added();
  return TEST_RESULT();
}
