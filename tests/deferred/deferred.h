/* A test backend that defers all work until a thread waits for it: at queue_sync, event_wait, or
 * optionally in between. Kernels are linked images on the CPU. Device memory is inaccessible while
 * no work runs, and new and freed blocks are poisoned. Therefore a missing wait or a dereferenced
 * device address fails immediately. Calls can be made to fail.
 *
 * Threads: as in the contract; one lock serializes all work. */
#ifndef SOLO_DEFERRED_H
#define SOLO_DEFERRED_H

#include "runtime/backend.h"

/* The n-th fallible call from here fails (1: the next, 0: none): mem_alloc, queue_open, queue_copy,
 * queue_launch, queue_sync, module_load. SOLO_DEFERRED_FAIL also sets n. */
void solo_deferred_fail_at(long n);

/* The n-th copy or launch from here is skipped and its queue fails (1: the next, 0: none). */
void solo_deferred_fail_work_at(long n);

/* Nonzero after the requested failure. */
int solo_deferred_failed(void);

/* Current blocks and open queues; total allocations, launches, copies and syncs. */
typedef struct solo_deferred_counts {
  long blocks, queues, allocations, launches, copies, syncs;
} solo_deferred_counts;
solo_deferred_counts solo_deferred_count(void);

extern SOLO_HIDDEN const solo_backend solo_deferred_backend;

#endif
