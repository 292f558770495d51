/* Places: sets of processors that threads are bound to (OMP_PLACES, OMP_PROC_BIND).
 *
 * The list is made at its first use and never changes. Masks have the kernel's layout
 * (sched_setaffinity). Threads: any.
 */
#ifndef SOLO_KMPC_PLACES_H
#define SOLO_KMPC_PLACES_H

#include "abi/kmpc/env/icv.h"

enum { KMPC_CPUS = 4096 };

typedef struct kmpc_mask {
  uint64_t bits[KMPC_CPUS / 64];
} kmpc_mask;

typedef struct kmpc_places {
  int32_t count;
  kmpc_mask *place;
  kmpc_mask all; /* what the process may use */
} kmpc_places;

const kmpc_places *solo_kmp_places(void);
/* The calling thread's current mask; 0 on success. */
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
/* "0-3,8": writes at most room bytes, terminated; returns the length it would have. */
size_t solo_kmp_mask_text(const kmpc_mask *mask, char *text, size_t room);

/* --- places_text.c: what OMP_PLACES says, whatever the machine ---------------------------------*/

/* What a word groups processors by. */
typedef enum kmpc_unit {
  KMPC_UNIT_THREAD,
  KMPC_UNIT_CORE,
  KMPC_UNIT_CACHE,
  KMPC_UNIT_NUMA,
  KMPC_UNIT_SOCKET,
} kmpc_unit;

/* The places of an explicit list as they are written, in order. Owner: the caller (free place). */
typedef struct kmpc_place_list {
  int32_t count, room;
  kmpc_mask *place;
} kmpc_place_list;

/* Each returns 0 if the text is no such thing; most: KMPC_CPUS where the word says no number. */
int solo_kmp_places_word(const char *text, kmpc_unit *out_unit, int32_t *out_most);
int solo_kmp_places_list(const char *text, kmpc_place_list *out_list); /* begins as {0} */

/* --- topology.c: what Linux tells
 * ---------------------------------------------------------------*/

/* key[cpu] of each of the processors: equal for those in the same unit. root: the folder with cpu0
 * (/sys/devices/system/cpu). Where Linux does not tell: each processor is its core, caches and NUMA
 * domains are sockets, and there is one socket. */
void solo_kmp_topology(const char *root, kmpc_unit unit, const kmpc_mask *cpus,
                       int32_t key[KMPC_CPUS]);

/* Expands an affinity format (OMP_AFFINITY_FORMAT) for the calling thread, as snprintf does. */
size_t solo_kmp_affinity_text(char *text, size_t room, const char *format);

#endif
