#ifndef SOLO_KMPC_MASK_H
#define SOLO_KMPC_MASK_H

#include "runtime/base/platform.h"

enum { KMPC_CPUS = 4096 };

typedef struct kmpc_mask {
  uint64_t bits[KMPC_CPUS / 64];
} kmpc_mask;

/* Read and set the affinity mask of the calling thread. Return 0 on success. */
int solo_kmp_mask_get(kmpc_mask *mask);
int solo_kmp_mask_set(const kmpc_mask *mask);

SOLO_INLINE int solo_kmp_mask_has(const kmpc_mask *mask, int cpu) {
  return cpu >= 0 && cpu < KMPC_CPUS && (mask->bits[cpu / 64] >> cpu % 64 & 1);
}
SOLO_INLINE void solo_kmp_mask_add(kmpc_mask *mask, int cpu) {
  if (cpu >= 0 && cpu < KMPC_CPUS) mask->bits[cpu / 64] |= (uint64_t)1 << cpu % 64;
}
SOLO_INLINE void solo_kmp_mask_remove(kmpc_mask *mask, int cpu) {
  if (cpu >= 0 && cpu < KMPC_CPUS) mask->bits[cpu / 64] &= ~((uint64_t)1 << cpu % 64);
}
int solo_kmp_mask_count(const kmpc_mask *mask);
/* Writes text such as "0-3,8", at most `size` bytes with the terminator. Returns the length of the
 * whole text. */
size_t solo_kmp_mask_text(const kmpc_mask *mask, char *text, size_t size);

typedef enum kmpc_unit {
  KMPC_UNIT_THREAD,
  KMPC_UNIT_CORE,
  KMPC_UNIT_CACHE,
  KMPC_UNIT_NUMA,
  KMPC_UNIT_SOCKET,
} kmpc_unit;

#endif
