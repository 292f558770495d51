/* Internal interface of the executor. */
#ifndef SIMT_INSIDE_H
#define SIMT_INSIDE_H

#include "backends/simt/exec/lane.h"
#include "backends/simt/exec/simt.h"

#include <stddef.h>

enum { SIMT_BARRIERS = 16, SIMT_MAX_THREADS = 1024, SIMT_STACK = 64 << 10 };

typedef enum simt_state { SIMT_READY, SIMT_AT_WARP, SIMT_AT_BARRIER, SIMT_ENDED } simt_state;

typedef struct simt_thread {
  simt_lane lane; /* must be first: device code holds its address */
  simt_state state;
  void *stack;
  /* operation for which the thread waits */
  simt_kind kind;
  uint64_t mask, value, other, result;
  uint32_t barrier, count;
  int is_aligned;
  const void *site; /* address in the device code */
  /* vector clocks of order.c: current, at the last fence, pending acquire */
  uint64_t *known, *fenced, *pending;
  int has_fenced, has_pending;
  const void *frame; /* stack pointer at site */
} simt_thread;

typedef struct simt_block {
  const simt_launch *launch;
  simt_thread *thread; /* x varies fastest */
  uint32_t threads, warps, live;
  char *stacks;
  size_t stack_bytes;
  char *shared;
  uint64_t shared_used;
  uint64_t random;
  void *scheduler;       /* saved stack pointer */
  uint64_t grid, number; /* unique number of the grid; number of the block in the grid */
  simt_result result;
} simt_block;

/* State of the calling host thread. */
extern _Thread_local simt_block *simt_block_here;
extern _Thread_local simt_thread *simt_thread_here;

/* fiber.c */

/* Prepares a stack on which the first simt_fiber_switch() calls start, which must not return. */
void *simt_fiber_prepare(char *stack, size_t bytes, void (*start)(void));
void simt_fiber_switch(void **save, void *load);

/* n stacks of `bytes` bytes. The first page of each is inaccessible. NULL: no memory. */
char *simt_stacks_map(uint32_t n, size_t bytes);
void simt_stacks_unmap(char *stacks, uint32_t n, size_t bytes);

/* wait.c */

extern const simt_calls simt_calls_here;

/* warp.c, barrier.c */

/* Both return the number of threads that became ready. simt_warp_resolve() requires that no thread
 * of the warp is ready. See docs/design/virtual-gpu.md, Algorithm. */
unsigned simt_warp_resolve(simt_block *block, uint32_t warp);
unsigned simt_barrier_resolve(simt_block *block);
unsigned simt_barrier_break(simt_block *block);
/* Completes a warp operation whose mask names lanes that cannot arrive. Returns 0 if there is none. */
unsigned simt_warp_break(simt_block *block);

/* pool.c */

/* Calls share(of) on the calling thread and on at most `helpers` pool threads. Returns when all
 * calls have returned. If another grid uses the pool, only the calling thread calls share. */
void simt_pool_run(void (*share)(void *), void *of, unsigned helpers);

/* memory.c */

/* Describes an invalid access in words. NULL: the access is valid. */
const char *simt_memory_check(const void *address, uint64_t bytes, char *words, size_t size);

/* fault.c */

/* Installs an alternate signal stack unless the thread has one. *out_own: to be freed, or NULL. 0:
 * no memory. */
int simt_fault_stack(void **out_own);

/* room.c */

/* Assigns the thread records, stacks and shared memory of this host thread. 0: no memory. */
int simt_room_take(simt_block *block);

/* report.c, place.c */

void simt_report(const simt_block *block, const simt_thread *thread, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Writes file:line. Returns 0 if it is unknown. */
int simt_place(const simt_block *block, const simt_thread *thread, char *out, size_t size);
int simt_place_of(const simt_block *block, const void *site, char *out, size_t size);
/* Returns 1 for the first report of a site, and 0 for later ones. */
int simt_first_time(const void *site);
/* Reports the wait of each thread. */
void simt_report_stuck(const simt_block *block);

/* math.c */

double simt_math(simt_function function, double x, double y);

/* race.c */

void simt_access(const void *address, uint64_t bytes, uint32_t flags);
/* Removes the recorded accesses of memory that has a new owner. */
void simt_access_forget(const void *address, uint64_t bytes);

/* Selects the exit status of the process after a race. */
void simt_count_race(const simt_launch *launch);

/* order.c */

/* Advances the logical clock of this host thread. */
uint64_t simt_order_tick(void);
/* Clears all vector clocks. 0: no memory. */
int simt_order_begin(simt_block *block);
/* Joins the vector clocks of threads that synchronised. */
void simt_order_meet(simt_block *block, simt_thread *const *who, uint32_t count);
void simt_order_fence(simt_block *block, simt_thread *t);
/* Call before the operation. flags: SIMT_WRITES, SIMT_ACQUIRES, SIMT_RELEASES. */
void simt_order_atomic(simt_block *block, simt_thread *t, uint64_t address, uint32_t flags);
/* Returns 1 if an access of a thread of other_block at `time` happens before t's next access. */
int simt_order_is_before(const simt_block *block, const simt_thread *t, uint64_t other_block,
                         uint32_t thread, uint64_t time);

/* heap.c, print.c */

void *simt_heap_allocate(uint64_t bytes);
void simt_heap_release(void *address);
int32_t simt_print(const char *format, const void *arguments);

#endif
