/* The cancellation word of a team (team->cancel). The lowest bit: the parallel region is cancelled,
 * until its join. The other bits: the number of the cancelled loop or sections construct
 * (kmpc_context.works).
 * Invariant: a thread compares the number with its own count, so a mark of an earlier construct has
 *            no effect and is not cleared.
 * Otherwise: a late thread could cancel the next construct, because compilers close a cancelled
 *            loop with a plain barrier. Taskgroups have their own marks (task/group.c).
 */
#ifndef SOLO_KMPC_CANCELLATION_H
#define SOLO_KMPC_CANCELLATION_H

#include "abi/kmpc/kmpc.h"

enum { KMPC_CANCEL_PARALLEL = 1, KMPC_CANCEL_WORK = 2 /* multiplied by the number */ };

SOLO_INLINE int solo_kmp_is_cancelled(kmpc_team *team) {
  /* pairs with cancel_region */
  return (solo_load_acquire(&team->cancel) & KMPC_CANCEL_PARALLEL) != 0;
}

#endif
