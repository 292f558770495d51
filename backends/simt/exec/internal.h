/* Internal interface of the executor. */
#ifndef SIMT_INTERNAL_H
#define SIMT_INTERNAL_H

#include "backends/simt/exec/lane.h"
#include "backends/simt/exec/simt.h"

#include <stddef.h>

enum { SIMT_BARRIERS = 16, SIMT_MAX_THREADS = 1024 };
/* SIMT_STACK: bytes for the local memory of a GPU thread (512 KiB) and for frames of the executor.
 * SIMT_GUARD: inaccessible bytes below a stack; larger than the variables of most functions, so an
 * overflow faults. The sum is an odd number of pages, so that the stacks of a warp use different
 * cache sets. */
enum { SIMT_STACK = 576 << 10, SIMT_GUARD = 68 << 10 };

typedef enum simt_state { SIMT_READY, SIMT_AT_WARP, SIMT_AT_BARRIER, SIMT_ENDED } simt_state;

typedef struct simt_thread {
  _Alignas(64) simt_lane lane; /* device code has the address of this member */
  simt_state state;
  simt_kind kind;
  int is_worker;  /* executes parallel regions of the main thread */
  uint32_t index; /* in the block */
  void *stack;    /* saved stack pointer; NULL: not started (lazy.c) */
  uint64_t mask, value, other, result;
  uint32_t barrier, count;
  int is_aligned;
  const void *site;
  uint64_t *known, *fenced, *pending;
  int has_fenced, has_pending;
  const void *frame; /* frame pointer at site, for backtraces */
  uint32_t place;
} simt_thread;

typedef struct simt_block {
  const simt_launch *launch;
  simt_thread *thread; /* array; index x varies fastest */
  uint32_t threads, warps, live;
  char *stacks;
  size_t stack_bytes;
  char *shared;
  struct simt_gs_words *words;
  simt_thread **current; /* &simt_current_thread */
  uint64_t random;
  void *scheduler;
  uint64_t grid, number;
  simt_result result;
  int is_lazy;
  uint32_t free_count, used_stacks;
  /* threads from next_new to end_new - 1 have not started */
  uint32_t next_new, end_new;
  uint32_t *free_stack;
  uint32_t *protected_stacks;
  uint64_t ready[SIMT_MAX_THREADS / 64];   /* a bit per thread that is ready after it waited */
  uint64_t at_warp[SIMT_MAX_THREADS / 64]; /* a bit per thread that has called a warp operation */
  /* generic mode: device/gpu.c */
  uint32_t (*region_threads)(void);
  void (*region)(void);
  simt_thread *main;
  uint32_t workers;
  int is_in_region;
} simt_block;

/* n low bits, at most 64 */
static inline uint64_t simt_low_bits(uint32_t n) {
  return n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
}

static inline void simt_thread_set_ready(simt_block *block, simt_thread *t) {
  t->state = SIMT_READY;
  block->ready[t->index / 64] |= UINT64_C(1) << t->index % 64;
}

extern _Thread_local simt_block *simt_current_block;
extern _Thread_local simt_thread *simt_current_thread;

/* Device code reads these words at the gs base (device/self.h). */
typedef struct simt_gs_words {
  void *self;
  simt_lane *lane;
  char *shared;
} simt_gs_words;

typedef struct simt_current {
  simt_block *block;
  simt_thread *thread;
  uint64_t gs;
} simt_current;

static inline void simt_thread_select(const simt_block *block, simt_thread *t) {
  *block->current = t;
  block->words->lane = &t->lane;
}

void simt_current_begin(simt_block *block, simt_current *out_before);
void simt_current_end(const simt_current *before);

/* Prepares a fiber. The first simt_fiber_switch() to the result calls start, which must not return. */
void *simt_fiber_prepare(char *stack, size_t bytes, void (*start)(void));
void simt_fiber_switch(void **save, void *load);

/* NULL: no memory. */
char *simt_stacks_map(uint32_t n, size_t bytes);
char *simt_stack_of(const simt_block *block, uint32_t place);
void simt_stacks_unmap(char *stacks, uint32_t n, size_t bytes);

extern const simt_calls simt_executor_calls;

/* Called if no thread is ready; completes operations. Returns 0 after it has reported a deadlock. */
unsigned simt_block_resolve(simt_block *block);

void simt_lazy_run(simt_block *block);
/* Called by a thread that waits or yields: returns when it is ready. Does not return if it has ended. */
void simt_lazy_wait(simt_block *block, simt_thread *t);
/* The main thread of a generic kernel calls this function twice per region, in place of barriers.
 * The workers execute the region before the first call returns. */
void simt_lazy_region(simt_block *block);
/* See simt_set_workers() in device/gpu.c. */
void simt_lazy_workers(simt_block *block, uint32_t (*count)(void), void (*region)(void),
                       uint32_t most);

/* These functions complete operations in which threads wait, and return the number of threads that
 * became ready. simt_warp_resolve() requires that no thread of the warp is ready. */
unsigned simt_warp_resolve(simt_block *block, uint32_t warp);
unsigned simt_barrier_resolve(simt_block *block);
unsigned simt_barrier_break(simt_block *block);
/* Completes and reports a warp operation at which some lanes cannot arrive. */
unsigned simt_warp_break(simt_block *block);

/* Calls share(of) on this thread and on at most `helpers` helper threads. Returns when all calls
 * have returned. While another grid uses the helpers, only this thread calls share. */
void simt_pool_run(void (*share)(void *), void *of, unsigned helpers);

/* Returns NULL if the access is valid, else a description of the fault. */
const char *simt_memory_check(const void *address, uint64_t bytes, char *words, size_t size);

/* Ensures that the thread has a signal stack. *out_own: a new stack, which the caller frees, or
 * NULL. Returns 0 if there is no memory. */
int simt_fault_stack(void **out_own);

int simt_workspace_acquire(simt_block *block);

void simt_report(const simt_block *block, const simt_thread *thread, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Writes file:line. Returns 0 if unknown. */
int simt_place(const simt_block *block, const simt_thread *thread, char *out, size_t size);
int simt_place_of(const simt_block *block, const void *site, char *out, size_t size);
/* Returns whether no earlier call had this site. */
int simt_is_first_report(const void *site);
void simt_report_stuck(const simt_block *block);

void simt_access(const void *address, uint64_t bytes, uint32_t flags);
void simt_access_clear(const void *address, uint64_t bytes);

void simt_count_race(const simt_launch *launch);

uint64_t simt_order_tick(void);
int simt_order_begin(simt_block *block);
void simt_order_join(simt_block *block, simt_thread *const *joining, uint32_t count);
void simt_order_fence(simt_block *block, simt_thread *t);
/* Called before the atomic operation. */
void simt_order_atomic(simt_block *block, simt_thread *t, uint64_t address, uint32_t flags);
int simt_order_is_before(const simt_block *block, const simt_thread *t, uint64_t other_block,
                         uint32_t thread, uint64_t time);

void *simt_heap_allocate(uint64_t bytes);
void simt_heap_release(void *address);

#endif
