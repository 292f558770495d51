/* Description: explores the kernel table (runtime/device/kernel.h), which launches read without a
 * lock: lookups find complete kernels while other kernels are added, removed and reused. */
#include "runtime/device/kernel.c"
#include "runtime/device/resolve.h"
#include "tests/explore/explore.h"

#include <stdlib.h>

enum { ARENA = 16 << 10, KERNELS = 18 };
static char arena[ARENA] __attribute__((aligned(64)));
static size_t arena_used;
static solo_device device;
static char keys[KERNELS];
/* for each record: 1 + the number of the record's key */
static uint64_t described[KERNELS + 1];
static solo_kernel *records[KERNELS + 1];
static int record_count;
static char library[2];

void *solo_early_allocate(size_t bytes) {
  bytes = (bytes + 63) & ~(size_t)63;
  if (arena_used + bytes > ARENA) abort();
  void *memory = arena + arena_used;
  arena_used += bytes;
  return memory;
}

void solo_early_free(void *memory) {
  (void)memory;
}

solo_status solo_kernel_resolve(solo_device *of, const void *key, solo_kernel **out_kernel) {
  (void)of, (void)key;
  *out_kernel = NULL;
  return SOLO_NOT_FOUND;
}

static int number_of(const solo_kernel *kernel) {
  for (int i = 0; i < record_count; i++)
    if (records[i] == kernel) return i;
  records[record_count] = (solo_kernel *)(uintptr_t)kernel;
  return record_count++;
}

static void publish(int key, int of_library) {
  solo_kernel *kernel = solo_kernel_allocate(&device);
  int number = number_of(kernel);
  kernel->library = (solo_library *)(void *)&library[of_library];
  if (explore_self() < 0)
    described[number] = (uint64_t)key + 1;
  else
    explore_write(&described[number], (uint64_t)key + 1);
  if (!solo_kernel_publish(&device, kernel, &keys[key])) abort();
}

static void forget(int of_library) {
  solo_kernel_remove_library(&device, (solo_library *)(void *)&library[of_library]);
}

static void look(int key, int is_there) {
  solo_kernel *kernel;
  if (solo_kernel_get(&device, &keys[key], &kernel) != SOLO_OK) {
    explore_check(!is_there, "a kernel is not found");
    return;
  }
  explore_check(explore_read(&described[number_of(kernel)]) == (uint64_t)key + 1,
                "the kernel of another key is found");
}

static void begin(void) {
  memset(arena, 0, arena_used);
  arena_used = 0;
  record_count = 0;
  memset(&device, 0, sizeof device);
  memset(described, 0, sizeof described);
}

static void begin_with(int kernels) {
  begin();
  for (int i = 0; i < kernels; i++) publish(i, 0);
}

static void begin_one(void) {
  begin_with(1);
}

static void begin_many(void) {
  begin_with(9);
}

static void look_for_second(void) {
  look(1, 0);
}

static void add_second_kernel(void) {
  publish(1, 1);
}

static void look_for_first(void) {
  look(0, 0);
}

static void add_ninth_kernel(void) {
  publish(9, 1);
}

/* A table of 32 slots in which all but one kernel are removed. Adding another kernel triggers a
 * cleanup. */
static void begin_removed(void) {
  begin_with(15);
  publish(15, 1);
  forget(0);
}

static void look_for_living(void) {
  look(15, 0);
}

static void add_last_kernel(void) {
  publish(16, 1);
}

/* The second kernel reuses the record of the first. */
static void replace_first_kernel(void) {
  forget(0);
  publish(1, 1);
}

int main(int count, char **arguments) {
  static const explore_scenario comes = {
      "a kernel is added", begin_one, {look_for_second, add_second_kernel}, NULL, 4, 6};
  static const explore_scenario grows = {
      "the table grows", begin_many, {look_for_first, add_ninth_kernel}, NULL, 1, 2};
  static const explore_scenario again = {
      "a record is reused", begin_one, {look_for_second, replace_first_kernel}, NULL, 3, 5};
  static const explore_scenario swept = {
      "the table is cleaned up", begin_removed, {look_for_living, add_last_kernel}, NULL, 2, 3};
  static const char *const comes_bugs[] = {"put/store+solo_kernel_publish", "solo_kernel_get",
                                           NULL};
  static const char *const none[] = {NULL};
  explore_bounds(count, arguments);
  return explore_all(&comes, comes_bugs) + explore_all(&grows, none) + explore_all(&again, none) +
         explore_all(&swept, none);
}
