/* The language of OMP_PLACES, whatever the machine. Threads: any. */
#ifndef SOLO_KMPC_PLACES_TEXT_H
#define SOLO_KMPC_PLACES_TEXT_H

#include "abi/kmpc/affinity/mask.h"

/* The places of an explicit list as they are written, in order. Owner: the caller (free place). */
typedef struct kmpc_place_list {
  int32_t count, room;
  kmpc_mask *place;
} kmpc_place_list;

/* Each returns 0 if the text is no such thing; most: KMPC_CPUS where the word says no number. */
int solo_kmp_places_word(const char *text, kmpc_unit *out_unit, int32_t *out_most);
int solo_kmp_places_list(const char *text, kmpc_place_list *out_list); /* begins as {0} */

#endif
