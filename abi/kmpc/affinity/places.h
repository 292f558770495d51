/* Places: sets of processors. The list does not change after its first use. */
#ifndef SOLO_KMPC_PLACES_H
#define SOLO_KMPC_PLACES_H

#include "abi/kmpc/affinity/mask.h"
#include "abi/kmpc/env/icv.h"

typedef struct kmpc_places {
  int32_t count;
  kmpc_mask *place;
  kmpc_mask all;
} kmpc_places;

const kmpc_places *solo_kmp_places(void);
/* Returns an array with the package of each place, never freed; NULL: no memory. */
const int32_t *solo_kmp_place_packages(void);
/* Expands an affinity format for the calling thread. Parameters and result as for snprintf. */
size_t solo_kmp_affinity_text(char *text, size_t size, const char *format);
void solo_kmp_affinity_show(const char *format);

#endif
