/* The cancellation word of a team (kmpc_team.cancel). Bit 0: the parallel region is cancelled. Other
 * bits: the number of the last cancelled loop or sections construct (kmpc_context.works).
 * Invariant: a thread compares this number with its own `works`, so old numbers have no effect.
 * Otherwise: the next construct would also be cancelled.
 */
#ifndef SOLO_KMPC_CANCELLATION_H
#define SOLO_KMPC_CANCELLATION_H

#include "abi/kmpc/kmpc.h"

enum { KMPC_CANCEL_PARALLEL = 1, KMPC_CANCEL_WORK = 2 };

SOLO_INLINE int solo_kmp_is_cancelled(kmpc_team *team) {
  /* pairs with cancel_region */
  return (solo_load_acquire(&team->cancel) & KMPC_CANCEL_PARALLEL) != 0;
}

#endif
