/* Between the files of the executor. */
#ifndef SIMT_INSIDE_H
#define SIMT_INSIDE_H

#include "backends/simt/exec/lane.h"
#include "backends/simt/exec/simt.h"

#include <stddef.h>

enum { SIMT_BARRIERS = 16, SIMT_MAX_THREADS = 1024, SIMT_STACK = 64 << 10 };

typedef enum simt_state { SIMT_READY, SIMT_AT_WARP, SIMT_AT_BARRIER, SIMT_ENDED } simt_state;

typedef struct simt_thread {
  simt_lane lane; /* first: device code sees it */
  simt_state state;
  void *stack; /* saved stack pointer */
  /* what it waits for */
  simt_kind kind;
  uint64_t mask, value, other, result;
  uint32_t barrier, count;
  int is_aligned;
  const void *site;                   /* where device code asked */
  uint64_t *known, *fenced, *pending; /* order.c: now, at its last fence, from relaxed operations */
  int has_fenced, has_pending;
  const void *frame; /* stack pointer there: deeper calls are lower */
} simt_thread;

typedef struct simt_block {
  const simt_launch *launch;
  simt_thread *thread; /* of the block, x fastest */
  uint32_t threads, warps, live;
  char *stacks;
  size_t stack_bytes;
  char *shared;
  uint64_t shared_used; /* static */
  uint64_t random;
  void *scheduler;       /* its saved stack pointer */
  uint64_t grid, number; /* of all grids; of the block in its grid */
  simt_result result;
} simt_block;

/* The block and the thread that this host thread runs. */
extern _Thread_local simt_block *simt_block_here;
extern _Thread_local simt_thread *simt_thread_here;

/* --- fiber.c ---------------------------------------------------------------------------------- */

/* Prepares a stack so that simt_fiber_switch to it calls start, which must not return. */
void *simt_fiber_prepare(char *stack, size_t bytes, void (*start)(void));
void simt_fiber_switch(void **save, void *load);

/* n stacks with a page below each that faults. NULL: no memory. */
char *simt_stacks_map(uint32_t n, size_t bytes);
void simt_stacks_unmap(char *stacks, uint32_t n, size_t bytes);

/* --- wait.c ----------------------------------------------------------------------------------- */

extern const simt_calls simt_calls_here;

/* --- warp.c, barrier.c ------------------------------------------------------------------------ */

/* Lets threads of the warp go whose meeting is complete; how many. No thread of it is ready. */
unsigned simt_warp_resolve(simt_block *block, uint32_t warp);
/* Lets threads at complete barriers go; how many. */
unsigned simt_barrier_resolve(simt_block *block);
unsigned simt_barrier_break(simt_block *block);
/* A meeting with a mask that names lanes which wait elsewhere for good: told once, then held among
 * those that came, as a GPU does. 0: there is none. */
unsigned simt_warp_break(simt_block *block);

/* --- pool.c ------------------------------------------------------------------------------------ */

/* Calls share(of) on this thread and on at most helpers other ones, and returns when all have come
 * back. Where another caller has the helpers: on this thread alone. */
void simt_pool_run(void (*share)(void *), void *of, unsigned helpers);

/* --- memory.c ---------------------------------------------------------------------------------- */

/* What is wrong with an access to that memory, in words; NULL: nothing. */
const char *simt_memory_check(const void *address, uint64_t bytes, char *words, size_t size);

/* --- fault.c ----------------------------------------------------------------------------------- */

/* Gives this host thread the stack that a handler of faults runs on, where it has none: *out_own then.
 * 0: no memory. */
int simt_fault_stack(void **out_own);

/* --- room.c ------------------------------------------------------------------------------------ */

/* Gives the block its threads, their stacks and its shared memory. 0: no memory. */
int simt_room_take(simt_block *block);

/* --- report.c, place.c ------------------------------------------------------------------------ */

void simt_report(const simt_block *block, const simt_thread *thread, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* file:line of a thread's place; 0: not known. */
int simt_place(const simt_block *block, const simt_thread *thread, char *out, size_t size);
int simt_place_of(const simt_block *block, const void *site, char *out, size_t size);
/* Is it the first time that this is told of the place? */
int simt_first_time(const void *site);
/* Says what every thread waits for. */
void simt_report_stuck(const simt_block *block);

/* --- math.c ------------------------------------------------------------------------------------ */

double simt_math(simt_function function, double x, double y);

/* --- race.c ----------------------------------------------------------------------------------- */

void simt_access(const void *address, uint64_t bytes, uint32_t flags);
/* The memory is somebody else's from now on. */
void simt_access_forget(const void *address, uint64_t bytes);

/* Counts a race that was found: for the process's exit status. */
void simt_count_race(const simt_launch *launch);

/* --- order.c ----------------------------------------------------------------------------------- */

/* The next of the times that count what code that looks for races does, on this host thread. */
uint64_t simt_order_tick(void);
/* No thread knows anything of another one. 0: no memory. */
int simt_order_begin(simt_block *block);
/* They have waited for each other. */
void simt_order_meet(simt_block *block, simt_thread *const *who, uint32_t count);
void simt_order_fence(simt_block *block, simt_thread *t);
/* flags: SIMT_WRITES and its order; before the operation. */
void simt_order_atomic(simt_block *block, simt_thread *t, uint64_t address, uint32_t flags);
/* Is what a thread of a block did at that time before what t does now? */
int simt_order_is_before(const simt_block *block, const simt_thread *t, uint64_t other_block,
                         uint32_t thread, uint64_t time);

/* --- heap.c, print.c -------------------------------------------------------------------------- */

void *simt_heap_allocate(uint64_t bytes);
void simt_heap_release(void *address);
int32_t simt_print(const char *format, const void *arguments);

#endif
