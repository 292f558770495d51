/* Cancellation of regions: what is requested in a team (team->cancel).
 *
 * The lowest bit says that the parallel region is cancelled, until the region ends (join clears).
 * The bits above are the number of the loop or sections construct that is (kmpc_context.works; 0:
 * none). Each thread compares it with the construct that it is in, so the mark need not be cleared
 * when the construct ends, and a thread that is late cannot take the next construct's for its own:
 * compilers close a cancelled loop with a plain barrier unless the parallel region can be cancelled
 * itself. Taskgroups keep marks of their own (task/group.c).
 */
#ifndef SOLO_KMPC_CANCELLATION_H
#define SOLO_KMPC_CANCELLATION_H

#include "abi/kmpc/kmpc.h"

enum { KMPC_CANCEL_PARALLEL = 1, KMPC_CANCEL_WORK = 2 /* times the number */ };

SOLO_INLINE int solo_kmp_is_cancelled(kmpc_team *team) {
  /* pairs with cancel_region */
  return (solo_load_acquire(&team->cancel) & KMPC_CANCEL_PARALLEL) != 0;
}

#endif
