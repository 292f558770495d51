/* The runtime's functions by name (abi/exports.c), for CPU images. Otherwise an image could use
 * libomp's dummy omp_* functions or a second copy of the library. */
#ifndef SOLO_EXPORTS_H
#define SOLO_EXPORTS_H

#include "runtime/base/platform.h"
#include <string.h>

typedef struct solo_export {
  const char *name;
  void *address; /* NULL: not in this build */
} solo_export;

/* table: sorted by strcmp */
SOLO_INLINE const solo_export *solo_export_find(const solo_export *table, uint32_t count,
                                                const char *name) {
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    int order = strcmp(name, table[middle].name);
    if (order == 0) return &table[middle];
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

typedef struct solo_exports_seam {
  const solo_export *sorted;
  uint32_t count;
} solo_exports_seam;
extern const solo_exports_seam solo_exports SOLO_WEAK;

/* For programs with libomp's threads (abi/kmpc/team/league_libomp.c). */
typedef struct solo_libomp_seam {
  /* A function that libomp lacks or that limits the league's teams. 0: none. */
  uintptr_t (*device_function)(const char *name);
  /* Executes the announced league. 0, nothing done: libomp can create its teams. */
  int32_t (*league)(void (*enter)(const void *argument), const void *argument);
} solo_libomp_seam;
extern const solo_libomp_seam solo_over_libomp SOLO_WEAK;

/* Around a kernel inside a parallel region of libomp (backends/host/host_orphans.c). */
typedef struct solo_host_orphans_seam {
  void (*enter_plain)(void);
  void (*leave_plain)(void);
  void (*serialize)(void);
} solo_host_orphans_seam;
extern const solo_host_orphans_seam solo_host_orphans SOLO_WEAK;

/* For operations that bind to the innermost parallel region, if that region encloses the target
 * region. */
SOLO_INLINE void solo_host_serialize(void) {
  solo_host_orphans.serialize();
}

/* For CPU images that a static program registers at run time (solo-link --symbols). */
extern SOLO_EXPORT const solo_export solo_program_symbols[] SOLO_WEAK;
extern SOLO_EXPORT const uint32_t solo_program_symbol_count SOLO_WEAK;

#endif
