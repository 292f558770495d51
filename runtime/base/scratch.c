#include "runtime/base/scratch.h"

#include "runtime/base/early.h"
#include "runtime/base/status.h"
#include <pthread.h>

enum { FIRST_CHUNK = 2000 };

typedef struct scratch_chunk {
  struct scratch_chunk *previous, *next; /* next: a larger chunk, unused */
  size_t capacity, used;
  _Alignas(16) char bytes[];
} scratch_chunk;

static _Thread_local scratch_chunk *current;
static _Thread_local int swapped; /* nonzero: `current` is the chunk of an arena */
static pthread_key_t at_thread_end;
/* 0: no key was available; the chunks are not freed when the thread ends */
static int has_key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

static SOLO_COLD void free_from(scratch_chunk *first) {
  for (scratch_chunk *c = first, *next; c; c = next) {
    next = c->next;
    solo_early_free(c);
  }
}

static void free_all(void *first) {
  free_from(first);
  current = NULL;
}

static void make_key(void) {
  has_key = pthread_key_create(&at_thread_end, free_all) == 0;
}

solo_scratch_mark solo_scratch_begin(void) {
  return (solo_scratch_mark){current, current ? current->used : 0};
}

void solo_scratch_end(solo_scratch_mark mark) {
  if (!mark.chunk) { /* the thread had no chunk at the mark */
    while (current && current->previous) {
      current->used = 0;
      current = current->previous;
    }
    if (current) current->used = 0;
    return;
  }
  while (current != mark.chunk) {
    current->used = 0;
    current = current->previous;
  }
  current->used = mark.used;
}

static SOLO_COLD void *no_memory(size_t bytes) {
  (void)solo_fail(SOLO_NOMEM, "no host memory for %zu bytes of a construct", bytes);
  return NULL;
}

static SOLO_COLD scratch_chunk *new_chunk(size_t bytes) {
  size_t capacity = current ? current->capacity * 2 : FIRST_CHUNK;
  while (capacity < bytes) capacity *= 2;
  scratch_chunk *chunk = solo_early_allocate(sizeof *chunk + capacity);
  if (!chunk) return no_memory(bytes);
  *chunk = (scratch_chunk){.previous = current, .capacity = capacity};
  if (current) {
    free_from(current->next); /* unused, but too small for the request */
    current->next = chunk;
  } else if (!swapped) {
    pthread_once(&key_once, make_key);
    if (has_key) pthread_setspecific(at_thread_end, chunk);
  }
  return chunk;
}

void *solo_scratch_allocate(size_t bytes) {
  if (bytes > SIZE_MAX / 4) return no_memory(bytes);
  bytes = (bytes + 15) & ~(size_t)15;
  if (!current || current->capacity - current->used < bytes) {
    scratch_chunk *chunk = current ? current->next : NULL;
    if (!chunk || chunk->capacity < bytes) {
      chunk = new_chunk(bytes);
      if (!chunk) return NULL;
    }
    current = chunk;
  }
  void *p = current->bytes + current->used;
  current->used += bytes;
  return p;
}

void solo_scratch_swap(solo_scratch_arena *arena) {
  void *own = current;
  current = arena->chunk;
  arena->chunk = own;
  swapped = !swapped;
}

static scratch_chunk *rewound(const solo_scratch_arena *arena) {
  scratch_chunk *c = arena->chunk;
  for (; c && c->previous; c = c->previous) c->used = 0;
  if (c) c->used = 0;
  return c;
}

void solo_scratch_rewind(solo_scratch_arena *arena) {
  arena->chunk = rewound(arena);
}

void solo_scratch_free(solo_scratch_arena *arena) {
  free_from(rewound(arena));
  arena->chunk = NULL;
}
