/* The list of device memory, for checks of accesses. */
#include "backends/simt/exec/internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEAR = 4096, FREED = 64 };

typedef struct memory {
  uint64_t at, bytes;
} memory;

/* Guards all variables below; its owner acquires no other lock. Not a solo_lock, because the
 * simulated drivers do not link runtime/base/lock.c. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static memory *list; /* sorted by address */
static size_t count, capacity;
static memory freed[FREED]; /* ring of the last freed blocks */
static size_t frees;

/* Returns the number of blocks that begin at or below the address. The caller holds the lock. */
static size_t below(uint64_t address) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (list[middle].at <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Returns 0 if there is no memory. The caller holds the lock. */
static int has_space(void) {
  if (count < capacity) return 1;
  size_t more = capacity ? capacity * 2 : 64;
  memory *bigger = realloc(list, more * sizeof *list);
  if (!bigger) return 0;
  list = bigger;
  capacity = more;
  return 1;
}

int simt_memory_add(const void *address, uint64_t bytes) {
  pthread_mutex_lock(&lock);
  int good = has_space();
  if (good) {
    size_t n = below((uintptr_t)address);
    memmove(&list[n + 1], &list[n], (count - n) * sizeof *list);
    list[n] = (memory){(uintptr_t)address, bytes};
    count++;
  }
  pthread_mutex_unlock(&lock);
  return good;
}

uint64_t simt_memory_remove(const void *address) {
  uint64_t bytes = 0;
  pthread_mutex_lock(&lock);
  size_t n = below((uintptr_t)address);
  if (n && list[n - 1].at == (uintptr_t)address) {
    bytes = list[n - 1].bytes;
    freed[frees++ % FREED] = list[n - 1];
    memmove(&list[n - 1], &list[n], (count - n) * sizeof *list);
    count--;
  }
  pthread_mutex_unlock(&lock);
  return bytes;
}

static const memory *freed_at(uint64_t at) {
  for (size_t i = 0; i < FREED; i++)
    if (freed[i].bytes && at - freed[i].at < freed[i].bytes) return &freed[i];
  return NULL;
}

typedef unsigned long long ull;

const char *simt_memory_check(const void *address, uint64_t bytes, char *words, size_t size) {
  uint64_t at = (uintptr_t)address;
  pthread_mutex_lock(&lock);
  size_t n = below(at);
  const memory *b = n ? &list[n - 1] : NULL, *next = n < count ? &list[n] : NULL, *old;
  if (b && at - b->at <= b->bytes && bytes <= b->bytes - (at - b->at))
    words = NULL;
  else if ((old = freed_at(at)))
    snprintf(words, size, "in the %llu bytes at 0x%llx, which were freed", (ull)old->bytes,
             (ull)old->at);
  else if (b && at - b->at < b->bytes)
    snprintf(words, size, "which exceeds the end of the %llu bytes at 0x%llx", (ull)b->bytes,
             (ull)b->at);
  else if (b && at - b->at < b->bytes + NEAR)
    snprintf(words, size, "%llu bytes behind the end of the %llu bytes at 0x%llx",
             (ull)(at - b->at - b->bytes), (ull)b->bytes, (ull)b->at);
  else if (next && next->at - at < NEAR)
    snprintf(words, size, "%llu bytes before the %llu bytes at 0x%llx", (ull)(next->at - at),
             (ull)next->bytes, (ull)next->at);
  else
    snprintf(words, size, "which is not device memory (is it mapped?)");
  pthread_mutex_unlock(&lock);
  return words;
}
