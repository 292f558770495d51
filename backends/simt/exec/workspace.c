/* Stacks and shared memory of blocks. Each host thread reuses one workspace, because an allocation
 * would take longer than most grids. */
#define _GNU_SOURCE
#include "backends/simt/exec/internal.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

typedef struct workspace {
  char *stacks, *words; /* words: before the shared memory */
  simt_thread *thread;
  uint32_t threads, *free_stack;
  uint32_t protected_stacks; /* number of stacks with a guard */
  size_t stack_bytes, shared_bytes;
  void *fault_stack;
} workspace;

static pthread_key_t key;
static int has_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void drop(void *of) {
  workspace *r = of;
  stack_t none = {.ss_flags = SS_DISABLE};
  if (r->fault_stack) sigaltstack(&none, NULL);
  free(r->fault_stack);
  if (r->stacks) simt_stacks_unmap(r->stacks, r->threads, r->stack_bytes);
  free(r->thread);
  free(r->free_stack);
  free(r->words);
  free(r);
}

static void make_key(void) {
  has_key = pthread_key_create(&key, drop) == 0;
}

static workspace *own_workspace(void) {
  pthread_once(&once, make_key);
  if (!has_key) return NULL;
  workspace *r = pthread_getspecific(key);
  if (r) return r;
  r = calloc(1, sizeof *r);
  if (r && !simt_fault_stack(&r->fault_stack)) {
    free(r);
    r = NULL;
  }
  if (r) pthread_setspecific(key, r);
  return r;
}

static int has_threads(workspace *r, const simt_block *block) {
  if (r->threads >= block->threads && r->stack_bytes == block->stack_bytes) return 1;
  if (r->stacks) simt_stacks_unmap(r->stacks, r->threads, r->stack_bytes);
  free(r->thread);
  free(r->free_stack);
  r->threads = block->threads;
  r->stack_bytes = block->stack_bytes;
  r->protected_stacks = 0;
  r->stacks = simt_stacks_map(r->threads, r->stack_bytes);
  r->thread = aligned_alloc(64, r->threads * sizeof *r->thread);
  r->free_stack = calloc(r->threads, sizeof *r->free_stack);
  if (r->thread) memset(r->thread, 0, r->threads * sizeof *r->thread);
  if (r->stacks && r->thread && r->free_stack) return 1;
  if (r->stacks) simt_stacks_unmap(r->stacks, r->threads, r->stack_bytes);
  r->stacks = NULL;
  r->threads = 0;
  return 0;
}

static int has_shared(workspace *r, uint32_t bytes) {
  enum { PAGE = 4096 };
  if (r->shared_bytes >= bytes) return 1;
  free(r->words);
  r->shared_bytes = ((size_t)bytes + PAGE - 1) / PAGE * PAGE;
  r->words = aligned_alloc(PAGE, SIMT_SHARED_AT + r->shared_bytes);
  if (!r->words) r->shared_bytes = 0;
  return r->words != NULL;
}

int simt_workspace_acquire(simt_block *block) {
  workspace *r = own_workspace();
  if (!r || !has_threads(r, block) || !has_shared(r, block->launch->shared_limit)) return 0;
  block->stacks = r->stacks;
  block->thread = r->thread;
  block->words = (simt_gs_words *)(void *)r->words;
  block->shared = r->words + SIMT_SHARED_AT;
  block->free_stack = r->free_stack;
  block->protected_stacks = &r->protected_stacks;
  return 1;
}
