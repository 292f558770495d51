/* fork(2) in a program with threads: which parts take part in it, and what fork may interrupt.
 *
 * Only the forking thread goes on in the child. Another thread of the parent may have been, at that
 * instant:
 *   1. outside solo: nothing to do;
 *   2. in a critical section of a core structure (devices, registry, mapping tables, pools): fork waits
 *      for these locks, so the child finds them whole (runtime/device/fork.c);
 *   3. under any other lock, a program's own (critical, omp_lock_t) or one of a first use (settings,
 *      ICVs, places, observers): the lock's word carries the mark of a thread that the child does not
 *      have, and the next to come takes it (lock.h). What a first use had begun is done again from
 *      its beginning: it writes the same values;
 *   4. in a driver: a device behind a driver is lost in the child, with a text that says so;
 *   5. a worker of a team: the child's teams start without workers (abi/kmpc/team/worker_pool.c).
 * What the forking thread itself holds stays held by it: two threads of the child cannot be in one
 * critical section.
 *
 * The handlers are put in place (solo_fork_watch) with the first library where that costs nothing (glibc); else
 * before a second thread takes any lock, and before host threads are used for the first time. A program whose one
 * thread forks needs none. In the second case a fork may have looked for handlers just before they came, and make
 * its child only after that second thread has begun to work. Such an unprepared child finds itself out when a
 * thread uses solo for the first time, and before it sleeps for a lock: its process is not the one that was
 * noted with the handlers.
 *
 * Threads: any.
 */
#ifndef SOLO_BASE_FORK_H
#define SOLO_BASE_FORK_H

#include "runtime/base/platform.h"

/* In the order in which they prepare; afterwards they go on in the opposite order. */
typedef enum solo_fork_order {
  SOLO_FORK_DEVICES,
  SOLO_FORK_REGISTRY,
  SOLO_FORK_TABLES, /* of mappings and memory */
  SOLO_FORK_WORKERS,
  SOLO_FORK_ORDERS
} solo_fork_order;

typedef struct solo_fork_member {
  void (*prepare)(void); /* before fork, in the forking thread; NULL: nothing, and the next two */
  void (*parent)(void);
  void (*child)(void);
  /* instead of child, without prepare: this member joined, or the handlers came, too late; may be NULL */
  void (*orphan)(void);
} solo_fork_member;

/* Takes part from now on; again is harmless. */
void solo_fork_join(solo_fork_order order, const solo_fork_member *member);

/* Puts the handlers in place; again is harmless. */
void solo_fork_watch(void);

/* Called by a thread before it takes a lock of the core for the first time (again is harmless): puts
 * the handlers in place, with musl unless it is the only thread that ever did so, since there they cost
 * the first use of the heap, a third of a short process (bench: startup). */
void solo_fork_thread(void);

#endif
