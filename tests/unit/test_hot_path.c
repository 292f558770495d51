/* Description: checks that repeated launches neither call the heap nor take a lock: with present
 * mappings, many arguments, private copies, and ranges that are mapped anew each time. */
#define _GNU_SOURCE
#include "abi/tgt.h"
#include "runtime/base/lock.h"
#include "runtime/image/linked.h"
#include "runtime/map/map.h"

#include "tests/unit/test.h"
#include <pthread.h>
#include <stdatomic.h>

enum { LAUNCHES = 10000, N = 128, MANY = 40, SCRATCH = 64 << 10 };
/* The linker's --wrap directs calls to the functions below, which count the calls. */

static atomic_long heap_calls, pthread_locks;

#define COUNTED(result, name, parameters, arguments, counter)                                      \
  result __real_##name parameters;                                                                 \
  result __wrap_##name parameters;                                                                 \
  result __wrap_##name parameters {                                                                \
    counter++;                                                                                     \
    return __real_##name arguments;                                                                \
  }

COUNTED(void *, malloc, (size_t n), (n), heap_calls)
COUNTED(void *, calloc, (size_t n, size_t m), (n, m), heap_calls)
COUNTED(void *, realloc, (void *p, size_t n), (p, n), heap_calls)
COUNTED(void *, aligned_alloc, (size_t a, size_t n), (a, n), heap_calls)
COUNTED(int, posix_memalign, (void **p, size_t a, size_t n), (p, a, n), heap_calls)
COUNTED(int, pthread_mutex_lock, (pthread_mutex_t * m), (m), pthread_locks)
COUNTED(int, pthread_rwlock_rdlock, (pthread_rwlock_t * m), (m), pthread_locks)
COUNTED(int, pthread_rwlock_wrlock, (pthread_rwlock_t * m), (m), pthread_locks)
COUNTED(int, pthread_spin_lock, (pthread_spinlock_t * m), (m), pthread_locks)

void __real_free(void *p);
void __wrap_free(void *p);
void __wrap_free(void *p) {
  heap_calls++;
  __real_free(p);
}

static void kernel_one(void *hidden, int *a) {
  (void)hidden;
  a[0]++;
}

static void kernel_private(void *hidden, int *a, const int *copy) {
  (void)hidden;
  a[0] += copy[3];
}

static void kernel_many(void *hidden, int *a0, int *a1, int *a2, int *a3, int *a4, int *a5, int *a6,
                        int *a7) {
  (void)hidden;
  a0[0] += a1[0] + a2[0] + a3[0] + a4[0] + a5[0] + a6[0] + a7[0] + 1;
}

static char key_one, key_private, key_many;
static const solo_linked_symbol symbols[] = {{"many", (void *)(uintptr_t)kernel_many, 0},
                                             {"one", (void *)(uintptr_t)kernel_one, 0},
                                             {"private", (void *)(uintptr_t)kernel_private, 0}};
static const solo_linked_image linked = {
    SOLO_LINKED_MAGIC, SOLO_LINKED_VERSION, 0, 1, SOLO_ARCH_ELF_MACHINE, 3, symbols};
static tgt_entry_22 entries[] = {{0, 1, 1, 0, &key_one, "one", 0, 0, NULL},
                                 {0, 1, 1, 0, &key_many, "many", 0, 0, NULL},
                                 {0, 1, 1, 0, &key_private, "private", 0, 0, NULL}};
static tgt_device_image image = {(void *)(uintptr_t)&linked, (void *)(uintptr_t)(&linked + 1),
                                 entries, entries + 3};
static tgt_bin_desc descriptor = {1, &image, entries, entries + 3};

static int data[MANY][N];
static void *bases[MANY];
static int64_t sizes[MANY], types[MANY];

static int launch(void *key, int count) {
  tgt_kernel_args args = {.version = 3,
                          .count = (uint32_t)count,
                          .bases = bases,
                          .begins = bases,
                          .sizes = sizes,
                          .types = types,
                          .num_teams = {UINT32_MAX, 0, 0}};
  return __tgt_target_kernel(NULL, 0, -1, 0, key, &args);
}

typedef struct counts {
  long heap, pthread;
  uint64_t own;
} counts;

static counts context(void) {
  return (counts){heap_calls, pthread_locks, solo_load_relaxed(&solo_lock_count)};
}

static void measure(const char *what, void *key, int count) {
  CHECK_INT(launch(key, count), 0); /* the first launch may allocate, so it is not counted */
  counts before = context();
  for (int i = 0; i < LAUNCHES; i++)
    if (launch(key, count) != 0) CHECK(!"launch failed");
  counts after = context();
  printf("%s: %ld heap calls, %ld pthread locks, %llu own locks\n", what, after.heap - before.heap,
         after.pthread - before.pthread, (unsigned long long)(after.own - before.own));
  CHECK_INT(after.heap - before.heap, 0);
  CHECK_INT(after.pthread - before.pthread, 0);
  CHECK_INT(after.own - before.own, 0);
}

int main(void) {
  __tgt_register_lib(&descriptor);
  for (int i = 0; i < MANY; i++) {
    bases[i] = data[i];
    sizes[i] = sizeof data[i];
    types[i] = SOLO_MAP_TO | SOLO_MAP_FROM | (i < 8 ? SOLO_MAP_TARGET_PARAM : 0);
  }
  counts start = context();
  __tgt_target_data_begin_mapper(NULL, 0, MANY, bases, bases, sizes, types, NULL, NULL);
  /* the counters work: this construct allocates and locks */
  CHECK(context().heap > start.heap && context().own > start.own);

  measure("one argument", &key_one, 1);
  measure("40 map entries, 8 arguments", &key_many, MANY);
  types[1] = SOLO_MAP_PRIVATE | SOLO_MAP_TO | SOLO_MAP_TARGET_PARAM;
  measure("a private copy of 512 bytes", &key_private, 2);
  types[1] = SOLO_MAP_TO | SOLO_MAP_FROM | SOLO_MAP_TARGET_PARAM;

  __tgt_target_data_end_mapper(NULL, 0, MANY, bases, bases, sizes, types, NULL, NULL);
  CHECK_INT(data[0][0], 2 * (LAUNCHES + 1));

  static int scratch[SCRATCH];
  bases[0] = scratch;
  sizes[0] = sizeof scratch;
  types[0] = SOLO_MAP_TARGET_PARAM;
  measure("256 KiB of scratch, mapped anew each time", &key_one, 1);
  CHECK_INT(scratch[0], 0);
  bases[0] = data[1];
  sizes[0] = sizeof data[1];
  types[0] = SOLO_MAP_TO | SOLO_MAP_FROM | SOLO_MAP_TARGET_PARAM;
  measure("512 bytes to and from, mapped anew each time", &key_one, 1);
  CHECK_INT(data[1][0], LAUNCHES + 1);
  return TEST_RESULT();
}
