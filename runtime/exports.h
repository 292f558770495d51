/* The runtime's functions by name (abi/exports.c), for CPU images that are loaded into the process.
 * Without it an image could use libomp's dummy omp_* functions or a second copy of the library. */
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

/* Functions of the core for programs with libomp's threads (abi/kmpc/team/league_libomp.c). */
typedef struct solo_libomp_seam {
  /* A function of the device runtime for CPU images, where libomp has none or limits the league's
   * teams. 0: none. */
  uintptr_t (*device_function)(const char *name);
  /* Executes the announced league: enter(argument) once per team. 0, and nothing done: libomp can
   * create that many teams. */
  int32_t (*league)(void (*enter)(const void *argument), const void *argument);
} solo_libomp_seam;
extern const solo_libomp_seam solo_over_libomp SOLO_WEAK;

/* Around a kernel launched inside a parallel region of libomp (backends/host/host_orphans.c);
 * nested. Not in static programs. */
typedef struct solo_host_orphans_seam {
  void (*enter_plain)(void);
  void (*leave_plain)(void);
  void (*serialize)(void);
} solo_host_orphans_seam;
extern const solo_host_orphans_seam solo_host_orphans SOLO_WEAK;

/* Called before an operation that binds to the innermost parallel region. If that region encloses
 * the target region, the thread enters a serialized one. */
SOLO_INLINE void solo_host_serialize(void) {
  solo_host_orphans.serialize();
}

/* Symbols for CPU images that a static program registers at run time (solo-link --symbols). */
extern SOLO_EXPORT const solo_export solo_program_symbols[] SOLO_WEAK;
extern SOLO_EXPORT const uint32_t solo_program_symbol_count SOLO_WEAK;

#endif
