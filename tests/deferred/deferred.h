/* A test backend that defers all work until a thread waits for it: at queue_sync, event_wait, or
 * optionally in between. Kernels are linked images on the CPU. Device memory is inaccessible while
 * no work runs, and new and freed blocks are poisoned. A missing wait or a dereferenced device
 * address therefore fails immediately. Calls can be made to fail.
 *
 * Threads: as in the contract. One lock serializes all work. */
#ifndef SOLO_DEFERRED_H
#define SOLO_DEFERRED_H

#include "runtime/backend.h"

/* The n-th fallible call after this call fails (1: the next, 0: none). Fallible: mem_alloc,
 * queue_open, queue_copy, queue_launch, queue_sync, module_load. The variable SOLO_DEFERRED_FAIL
 * sets n at the start. */
void solo_deferred_fail_at(long n);

/* The n-th copy or launch that is executed after this call is skipped, and its queue reports an
 * error (1: the next, 0: none). */
void solo_deferred_fail_work_at(long n);

/* Returns whether the requested failure has occurred. */
int solo_deferred_failed(void);

/* Numbers of existing blocks and open queues; totals of allocations, launches, copies and syncs. */
typedef struct solo_deferred_counts {
  long blocks, queues, allocations, launches, copies, syncs;
} solo_deferred_counts;
solo_deferred_counts solo_deferred_count(void);

extern SOLO_HIDDEN const solo_backend solo_deferred_backend;

#endif
