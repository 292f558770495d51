/* Places: sets of processors that threads are bound to (OMP_PLACES, OMP_PROC_BIND).
 *
 * The list is made at its first use and never changes. Threads: any.
 */
#ifndef SOLO_KMPC_PLACES_H
#define SOLO_KMPC_PLACES_H

#include "abi/kmpc/affinity/mask.h"
#include "abi/kmpc/env/icv.h"

typedef struct kmpc_places {
  int32_t count;
  kmpc_mask *place;
  kmpc_mask all; /* what the process may use */
} kmpc_places;

const kmpc_places *solo_kmp_places(void);
/* The package of each place, for ever; NULL: no memory. */
const int32_t *solo_kmp_place_packages(void);
/* Expands an affinity format (OMP_AFFINITY_FORMAT) for the calling thread, as snprintf does. */
size_t solo_kmp_affinity_text(char *text, size_t room, const char *format);
/* The same as a line on standard output, where libomp writes it, in the order of what the program prints. */
void solo_kmp_affinity_show(const char *format);

#endif
