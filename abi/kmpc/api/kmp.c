#define _GNU_SOURCE
#include "abi/include/omp.h"
#include "abi/kmpc/team/worker_team.h"

#include <stdlib.h>

SOLO_EXPORT void *kmp_malloc(size_t size) {
  return malloc(size);
}

SOLO_EXPORT void *kmp_aligned_malloc(size_t size, size_t alignment) {
  void *memory = NULL;
  if (alignment < sizeof(void *)) alignment = sizeof(void *);
  return posix_memalign(&memory, alignment, size) == 0 ? memory : NULL;
}

SOLO_EXPORT void *kmp_calloc(size_t count, size_t size) {
  return calloc(count, size);
}

SOLO_EXPORT void *kmp_realloc(void *ptr, size_t size) {
  return realloc(ptr, size);
}

SOLO_EXPORT void kmp_free(void *ptr) {
  free(ptr);
}

SOLO_EXPORT size_t kmp_get_stacksize_s(void) {
  return solo_kmp_stack_size(solo_kmp_config());
}

SOLO_EXPORT int kmp_get_stacksize(void) {
  size_t size = kmp_get_stacksize_s();
  return size > INT32_MAX ? INT32_MAX : (int)size;
}

/* The size applies to threads that start later. relaxed, all: settings order no other memory. */
SOLO_EXPORT void kmp_set_stacksize_s(size_t size) {
  if (size) solo_store_relaxed(&solo_kmp_config()->stack_size, size);
}

SOLO_EXPORT void kmp_set_stacksize(int size) {
  if (size > 0) kmp_set_stacksize_s((size_t)size);
}

SOLO_EXPORT int kmp_get_blocktime(void) {
  uint64_t ns = solo_load_relaxed(&solo_kmp_config()->blocktime_ns); /* relaxed: a setting */
  return ns == UINT64_MAX ? INT32_MAX : (int)(ns / 1000000);
}

SOLO_EXPORT void kmp_set_blocktime(int ms) {
  kmpc_config *config = solo_kmp_config();
  if (ms < 0) return;
  solo_store_relaxed(&config->has_blocktime, 1);
  solo_store_relaxed(&config->blocktime_ns, ms == INT32_MAX ? UINT64_MAX : (uint64_t)ms * 1000000);
}

enum { SERIAL = 1, TURNAROUND = 2, THROUGHPUT = 3 };
static _Atomic int library = THROUGHPUT;

SOLO_EXPORT int kmp_get_library(void) {
  return solo_load_relaxed(&library); /* relaxed: a setting */
}

SOLO_EXPORT void kmp_set_library(int kind) {
  if (kind == SERIAL) omp_set_num_threads(1);
  if (kind >= SERIAL && kind <= THROUGHPUT) solo_store_relaxed(&library, kind);
}

SOLO_EXPORT void kmp_set_library_serial(void) {
  kmp_set_library(SERIAL);
}

SOLO_EXPORT void kmp_set_library_turnaround(void) {
  kmp_set_library(TURNAROUND);
}

SOLO_EXPORT void kmp_set_library_throughput(void) {
  kmp_set_library(THROUGHPUT);
}

/* Sets an environment variable from "NAME=value". As in libomp, this has no effect after the
 * runtime has read its settings. */
SOLO_EXPORT void kmp_set_defaults(const char *settings) {
  char *copy = settings ? kmp_malloc(1024) : NULL;
  if (!copy) return;
  size_t i = 0;
  while (settings[i] && settings[i] != '=' && i < 1023) copy[i] = settings[i], i++;
  copy[i] = 0;
  if (settings[i] == '=') setenv(copy, settings + i + 1, 1);
  kmp_free(copy);
}

SOLO_EXPORT void kmp_set_disp_num_buffers(int count) {
  (void)count;
}

SOLO_EXPORT void kmp_set_warnings_on(void) {
  solo_kmp_set_warnings(1);
}

SOLO_EXPORT void kmp_set_warnings_off(void) {
  solo_kmp_set_warnings(0);
}
