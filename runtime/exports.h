/* The runtime's own entry points by name: what compilers and programs call.
 *
 * Code that is loaded into the process (CPU images) must reach the one runtime that is here,
 * whatever its own link found: libomp's dummies of the omp_* device functions, or a second copy of
 * this library. A static program has no dynamic symbol table to ask, and a dynamic one exports only
 * what its linker chose, so the core carries the table. abi/exports.c defines it; weak, because the
 * runtime works without.
 *
 * Ownership: static. Threads: constant.
 */
#ifndef SOLO_EXPORTS_H
#define SOLO_EXPORTS_H

#include "runtime/base/platform.h"
#include <string.h>

typedef struct solo_export {
  const char *name;
  void *address; /* NULL: not in this build */
} solo_export;

/* The entry of the name in a table that is sorted by strcmp; NULL: none. */
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

/* Of abi/exports.c. */
typedef struct solo_exports_seam {
  const solo_export *sorted; /* by strcmp(name) */
  uint32_t count;
} solo_exports_seam;
extern const solo_exports_seam solo_exports SOLO_WEAK;

/* What is the core's where libomp provides the threads (abi/kmpc/team/league_libomp.c). */
typedef struct solo_libomp_seam {
  /* Functions of a CPU image's that are ours: the device runtime that libomp lacks, for kernels of flang, and what is
   * different in leagues of more teams than libomp makes. 0: not one of them. */
  uintptr_t (*device_function)(const char *name);
  /* Runs the league that the calling thread has announced: enter(argument) once per team. 0: nothing was done, libomp
   * can make that many teams itself and knows how many. */
  int32_t (*league)(void (*enter)(const void *argument), const void *argument);
} solo_libomp_seam;
extern const solo_libomp_seam solo_over_libomp SOLO_WEAK;

/* Around a kernel that is launched from inside a parallel region of libomp's (backends/host/host_orphans.c). Not in
 * static programs. Threads: enter and leave on the same thread, properly nested. */
typedef struct solo_host_orphans_seam {
  void (*enter_plain)(void);
  void (*leave_plain)(void);
  void (*serialize)(void);
} solo_host_orphans_seam;
extern const solo_host_orphans_seam solo_host_orphans SOLO_WEAK;

/* Before anything that binds to the innermost parallel region: where that is the host's, around a target region, the
 * calling thread enters a serialized one. */
SOLO_INLINE void solo_host_serialize(void) {
  solo_host_orphans.serialize();
}

/* Functions and variables of a static program for CPU images that it registers at run time: what
 * solo-link was asked to list (--symbols). Not in other programs. */
extern SOLO_EXPORT const solo_export solo_program_symbols[] SOLO_WEAK;
extern SOLO_EXPORT const uint32_t solo_program_symbol_count SOLO_WEAK;

#endif
