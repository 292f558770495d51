/* Memory that the threads of one worksharing construct share: the copies of reduction(task, ...),
 * and the memory of scan and lastprivate(conditional). A block is identified by team, region and
 * number of the construct. One lock suffices for the list of blocks, because these clauses are rare. */
#include "abi/gomp/internal.h"
#include "abi/kmpc/task/task.h"

#include <stdlib.h>

typedef struct shared_block {
  struct shared_block *next;
  const kmpc_team *team;
  uint64_t region;
  uint32_t number;
  int32_t entered, left;
  uintptr_t copies, end;
  void *memory; /* NULL: the last thread that enters the construct frees the block */
} shared_block;

_Atomic uint32_t solo_gomp_shared_blocks;
static solo_lock lock = SOLO_LOCK_INIT(SOLO_RANK_LEAF);
static shared_block *blocks;

static uint64_t region_of(const kmpc_thread *self) {
  kmpc_worker_team *worker_team = self->context.team->worker_team;
  return worker_team ? solo_kmp_region_word(self, worker_team) : 0;
}

static void drop(shared_block **at) {
  shared_block *block = *at;
  *at = block->next;
  /* relaxed: each thread tests only for its construct's block */
  solo_sub_relaxed(&solo_gomp_shared_blocks, 1);
  free(block->memory);
  free(block);
}

/* Returns the block of the current construct, or NULL. Frees blocks of the team's earlier,
 * cancelled regions. */
static shared_block **find(const kmpc_thread *self) {
  const kmpc_team *team = self->context.team;
  uint64_t region = region_of(self);
  for (shared_block **at = &blocks; *at;) {
    if ((*at)->team != team) {
      at = &(*at)->next;
    } else if ((*at)->region != region) {
      drop(at);
    } else if ((*at)->number == self->context.works) {
      return at;
    } else {
      at = &(*at)->next;
    }
  }
  return NULL;
}

static shared_block *make(const kmpc_thread *self) {
  shared_block *block = calloc(1, sizeof *block);
  if (!block) solo_kmp_fatal("out of memory for a worksharing construct");
  block->team = self->context.team;
  block->region = region_of(self);
  block->number = self->context.works;
  block->next = blocks;
  blocks = block;
  solo_add_relaxed(&solo_gomp_shared_blocks, 1); /* relaxed: as in drop */
  return block;
}

static void enter(kmpc_thread *self, uintptr_t *reductions, void **memory) {
  int32_t size = self->context.team->size;
  shared_block **at = find(self);
  if (at && (*at)->entered == size) { /* left by a cancelled region */
    drop(at);
    at = NULL;
  }
  shared_block *block = at ? *at : make(self);
  if (!block->entered++) {
    if (memory && !(block->memory = calloc(1, (uintptr_t)*memory ? (uintptr_t)*memory : 1)))
      solo_kmp_fatal("out of memory for a worksharing construct");
    if (reductions) solo_gomp_copies_make(reductions, size, size);
    if (reductions) block->copies = reductions[GOMP_REDUCTION_COPIES];
    if (reductions) block->end = reductions[GOMP_REDUCTION_END];
  }
  if (memory) *memory = block->memory;
  if (reductions) {
    reductions[GOMP_REDUCTION_COPIES] = block->copies;
    reductions[GOMP_REDUCTION_END] = block->end;
  }
  if (block->entered == size && !block->memory) drop(find(self));
}

void solo_gomp_share(kmpc_thread *self, uintptr_t *reductions, void **memory) {
  if (!reductions && !memory) return;
  solo_lock_acquire(&lock);
  enter(self, reductions, memory);
  solo_lock_release(&lock);
  if (!reductions) return;
  solo_kmp_taskgroup_open(self)->is_implicit = 1;
  solo_gomp_reductions_attach(self, reductions);
}

void solo_gomp_share_leave(kmpc_thread *self) {
  solo_lock_acquire(&lock);
  shared_block **at = find(self);
  if (at && (*at)->memory && ++(*at)->left == self->context.team->size) drop(at);
  solo_lock_release(&lock);
}

SOLO_EXPORT void GOMP_scope_start(uintptr_t *reductions) {
  kmpc_thread *self = solo_kmp_self();
  self->context.works++;
  solo_gomp_share(self, reductions, NULL);
}

/* Ends the taskgroup of reduction(task, ...). The thread that combines the copies is the last caller. */
SOLO_EXPORT void GOMP_workshare_task_reduction_unregister(bool cancelled) {
  kmpc_thread *self = solo_kmp_self();
  const uintptr_t *reductions = self->context.task->taskgroup->gomp_reductions;
  solo_kmp_taskgroup_close(self);
  if (!cancelled) solo_gomp_barrier(self);
  solo_gomp_copies_release(reductions);
}
