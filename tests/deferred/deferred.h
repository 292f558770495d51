/* A backend for tests: the meanest device that the contract allows.
 *
 * Kernels are linked images run on this machine's CPU, but nothing happens before somebody waits:
 * a queue's work is kept and done at queue_sync, event_wait, or (when told to) now and then in
 * between. Device memory is one arena that cannot be touched while no work is being done, so a host
 * that dereferences a device address, or does not wait, crashes or reads old data at once. Freed
 * and fresh memory is poisoned. The n-th call that may fail can be made to fail.
 *
 * Threads: as the contract says; work of all queues is done under one lock.
 */
#ifndef SOLO_DEFERRED_H
#define SOLO_DEFERRED_H

#include "runtime/backend.h"

/* The n-th fallible call from now on fails (1: the next); 0: none. Which calls count: mem_alloc,
 * queue_open, queue_copy, queue_launch, queue_sync, module_load. Also set by SOLO_DEFERRED_FAIL. */
void solo_deferred_fail_at(long n);

/* The n-th copy or launch to be done from now on is not done, and its queue has failed (1: the
 * next); 0: none. */
void solo_deferred_fail_work_at(long n);

/* Nonzero once the failure asked for has happened. */
int solo_deferred_failed(void);

/* Blocks allocated and not freed, queues open; allocations, launches, copies and syncs so far. */
typedef struct solo_deferred_counts {
  long blocks, queues, allocations, launches, copies, syncs;
} solo_deferred_counts;
solo_deferred_counts solo_deferred_count(void);

extern SOLO_HIDDEN const solo_backend solo_deferred_backend;

#endif
