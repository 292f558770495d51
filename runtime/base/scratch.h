/* Short-lived memory of a thread, in stack order, without the heap in the steady state.
 *
 *   solo_scratch_mark mark = solo_scratch_begin();
 *   void *p = solo_scratch_take(bytes);      NULL: out of memory, and the thread's error record says so
 *   solo_scratch_end(mark);
 *
 * Chunks are kept by the thread and freed when it ends. Threads: thread-local. Alignment: 16.
 */
#ifndef SOLO_BASE_SCRATCH_H
#define SOLO_BASE_SCRATCH_H

#include "runtime/base/platform.h"

typedef struct solo_scratch_mark {
  void *chunk;
  size_t used;
} solo_scratch_mark;

solo_scratch_mark solo_scratch_begin(void);
void *solo_scratch_take(size_t bytes);
void solo_scratch_end(solo_scratch_mark mark);

/* Scratch memory that outlives its thread's stack order: while an arena (zeroed at first) is
 * swapped in, the thread takes from it; the second swap gives the thread its own back. Another
 * thread may then swap it in. Not nested. */
typedef struct solo_scratch_arena {
  void *chunk;
} solo_scratch_arena;
void solo_scratch_swap(solo_scratch_arena *arena);
void solo_scratch_rewind(solo_scratch_arena *arena); /* nothing of it is used any more */
void solo_scratch_free(solo_scratch_arena *arena);

#endif
