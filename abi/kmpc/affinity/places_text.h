#ifndef SOLO_KMPC_PLACES_TEXT_H
#define SOLO_KMPC_PLACES_TEXT_H

#include "abi/kmpc/affinity/mask.h"

/* The places of an explicit list, in the order of the text. The caller frees `place`. */
typedef struct kmpc_place_list {
  int32_t count, capacity;
  kmpc_mask *place;
} kmpc_place_list;

/* Parse an abstract name such as cores(4), and an explicit list. Return 0 on a syntax error. The
 * caller passes out_list as {0}. */
int solo_kmp_places_word(const char *text, kmpc_unit *out_unit, int32_t *out_most);
int solo_kmp_places_list(const char *text, kmpc_place_list *out_list);

#endif
