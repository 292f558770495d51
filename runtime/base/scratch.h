/* Thread-local memory in stack order: solo_scratch_end frees all memory allocated after the
 * matching solo_scratch_begin. A thread reuses its chunks and frees them when it ends.
 * Alignment: 16. solo_scratch_allocate returns NULL and records an error if no memory is left. */
#ifndef SOLO_BASE_SCRATCH_H
#define SOLO_BASE_SCRATCH_H

#include "runtime/base/platform.h"

typedef struct solo_scratch_mark {
  void *chunk;
  size_t used;
} solo_scratch_mark;

solo_scratch_mark solo_scratch_begin(void);
void *solo_scratch_allocate(size_t bytes);
void solo_scratch_end(solo_scratch_mark mark);

/* Scratch memory outside the stack order. A zeroed arena is empty. The first swap redirects the
 * thread's allocations to the arena; the second ends the redirection. Then another thread may swap
 * the arena. Swaps do not nest. */
typedef struct solo_scratch_arena {
  void *chunk;
} solo_scratch_arena;
void solo_scratch_swap(solo_scratch_arena *arena);
void solo_scratch_rewind(solo_scratch_arena *arena);
void solo_scratch_free(solo_scratch_arena *arena);

#endif
