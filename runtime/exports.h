/* Table of the runtime's functions by name (abi/exports.c). The loader of CPU images binds names to
 * these functions. Otherwise an image could call libomp's dummy omp_* functions, or a second copy
 * of the runtime. */
#ifndef SOLO_EXPORTS_H
#define SOLO_EXPORTS_H

#include "runtime/base/platform.h"
#include <string.h>

typedef struct solo_export {
  const char *name;
  void *address;
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

/* Functions for CPU images in programs with libomp (abi/kmpc/team/league_libomp.c). */
typedef struct solo_libomp_seam {
  /* Returns the address that the loader of CPU images uses for name: a function that libomp lacks,
   * or a wrapper that limits teams or threads. 0: use libomp's function. */
  uintptr_t (*device_function)(const char *name);
  /* Executes a league with the arguments of the last __kmpc_push_num_teams. Returns 0 and does
   * nothing if libomp can create the teams. */
  int32_t (*league)(void (*enter)(const void *argument), const void *argument);
} solo_libomp_seam;
extern const solo_libomp_seam solo_over_libomp SOLO_WEAK;

/* For a kernel that starts inside a parallel region of libomp (backends/host/host_orphans.c):
 * functions for the kernel's begin and end, and for the start of a serialized parallel region. */
typedef struct solo_host_orphans_seam {
  void (*enter_plain)(void);
  void (*leave_plain)(void);
  void (*serialize)(void);
} solo_host_orphans_seam;
extern const solo_host_orphans_seam solo_host_orphans SOLO_WEAK;

/* Called before an operation that binds to the innermost parallel region. If this region encloses
 * the target region, starts a serialized parallel region, so that the operation does not bind to
 * the host's team. */
SOLO_INLINE void solo_host_serialize(void) {
  solo_host_orphans.serialize();
}

/* For CPU images that a static program registers at run time: the functions of the program by name
 * (solo-link --symbols). */
extern SOLO_EXPORT const solo_export solo_program_symbols[] SOLO_WEAK;
extern SOLO_EXPORT const uint32_t solo_program_symbol_count SOLO_WEAK;

#endif
