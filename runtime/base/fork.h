/* fork(2) in a program with threads: parts of the runtime register functions for prepare, parent
 * and child. Threads: any.
 *
 * The child has only the forking thread. Prepare functions lock the core structures, so that these
 * are consistent in the child (runtime/device/fork.c). If the owner of a lock does not exist in the
 * child, the lock counts as free there (lock.h).
 *
 * With musl the handlers are installed when a second thread uses solo. A child that was forked
 * without them detects that its process id differs from the recorded id, and repairs its state
 * (docs/design/static-start-up.md). */
#ifndef SOLO_BASE_FORK_H
#define SOLO_BASE_FORK_H

#include "runtime/base/platform.h"

/* order of the prepare functions; parent and child functions run in reverse order */
typedef enum solo_fork_order {
  SOLO_FORK_DEVICES,
  SOLO_FORK_REGISTRY,
  SOLO_FORK_TABLES,
  SOLO_FORK_WORKERS,
  SOLO_FORK_ORDERS
} solo_fork_order;

typedef struct solo_fork_member {
  void (*prepare)(void); /* before fork; each function may be NULL */
  void (*parent)(void);
  void (*child)(void);
  /* called in the child instead of `child` if `prepare` was not called */
  void (*orphan)(void);
} solo_fork_member;

/* This function and the next may be called repeatedly. member must stay valid. */
void solo_fork_register(solo_fork_order order, const solo_fork_member *member);

void solo_fork_install_handlers(void);

/* Each thread calls this function before its first lock of the core. Thus the handlers are
 * installed before a second thread can own a lock. May be called repeatedly. */
void solo_fork_begin_thread(void);

#endif
