/* fork(2) in a program with threads: parts of the runtime register prepare, parent and child
 * functions. Threads: any.
 *
 * The child has only the forking thread. Prepare functions lock the core structures, so they are
 * consistent in the child (runtime/device/fork.c). Other locks of vanished threads count as free
 * (lock.h); an interrupted first use is repeated and writes the same values. Devices with a driver
 * are lost; teams have no workers.
 *
 * With musl the handlers are installed when a second thread uses solo. A child forked before that
 * has another process id than the recorded one, and repairs its state. See
 * docs/design/static-start-up.md. */
#ifndef SOLO_BASE_FORK_H
#define SOLO_BASE_FORK_H

#include "runtime/base/platform.h"

/* order of prepare; the others run in reverse */
typedef enum solo_fork_order {
  SOLO_FORK_DEVICES,
  SOLO_FORK_REGISTRY,
  SOLO_FORK_TABLES,
  SOLO_FORK_WORKERS,
  SOLO_FORK_ORDERS
} solo_fork_order;

typedef struct solo_fork_member {
  void (*prepare)(void); /* before fork; all may be NULL */
  void (*parent)(void);
  void (*child)(void);
  /* in the child, if prepare did not run */
  void (*orphan)(void);
} solo_fork_member;

/* Both are idempotent. */
void solo_fork_register(solo_fork_order order, const solo_fork_member *member);

void solo_fork_install_handlers(void);

/* For a thread before its first lock of the core. Idempotent. */
void solo_fork_begin_thread(void);

#endif
