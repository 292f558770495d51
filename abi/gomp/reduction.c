/* Task reductions. The runtime allocates zeroed copies for each thread and finds a copy by its
 * address. The compiled code initialises and combines the copies. */
#include "abi/gomp/internal.h"
#include "abi/kmpc/task/task.h"

#include <stdlib.h>
#include <string.h>

typedef struct copies_head {
  void *block;
  _Atomic int32_t owners;
} copies_head;

static copies_head *head_of(const uintptr_t *reductions) {
  return (copies_head *)reductions[GOMP_REDUCTION_COPIES] - 1;
}

void solo_gomp_copies_make(uintptr_t *reductions, int32_t threads, int32_t owners) {
  uintptr_t alignment = reductions[GOMP_REDUCTION_COPIES];
  size_t bytes = reductions[GOMP_REDUCTION_BYTES] * (size_t)threads;
  if (alignment < SOLO_CACHE_LINE) alignment = SOLO_CACHE_LINE;
  char *block = malloc(bytes + 2 * alignment + sizeof(copies_head));
  if (!block) solo_kmp_fatal("out of memory for the copies of a task reduction");
  uintptr_t first = ((uintptr_t)block + sizeof(copies_head) + alignment - 1) & ~(alignment - 1);
  memset((void *)first, 0, bytes);
  reductions[GOMP_REDUCTION_COPIES] = first;
  reductions[GOMP_REDUCTION_END] = first + bytes;
  head_of(reductions)->block = block;
  solo_store_relaxed(&head_of(reductions)->owners, owners); /* relaxed: not shared yet */
}

void solo_gomp_copies_release(const uintptr_t *reductions) {
  copies_head *head = head_of(reductions);
  /* pairs with itself: the last owner frees */
  if (solo_sub_acq_rel(&head->owners, 1) == 1) free(head->block);
}

void solo_gomp_reductions_attach(kmpc_thread *self, uintptr_t *reductions) {
  kmpc_taskgroup *group = self->context.task->taskgroup;
  reductions[GOMP_REDUCTION_NEXT] = (uintptr_t)group->gomp_reductions;
  group->gomp_reductions = reductions;
}

SOLO_EXPORT void GOMP_taskgroup_reduction_register(uintptr_t *reductions) {
  kmpc_thread *self = solo_kmp_self();
  if (!self->context.task->taskgroup) return;
  while (reductions) {
    uintptr_t *next = (uintptr_t *)reductions[GOMP_REDUCTION_NEXT];
    solo_gomp_copies_make(reductions, self->context.team->size, 1);
    solo_gomp_reductions_attach(self, reductions);
    reductions = next;
  }
}

SOLO_EXPORT void GOMP_taskgroup_reduction_unregister(uintptr_t *reductions) {
  solo_gomp_copies_release(reductions);
}

/* Searches one array for the address of a variable or of a copy. Returns 0 if none fits. */
static int find_in(const uintptr_t *r, uintptr_t address, uintptr_t *out_offset,
                   uintptr_t *out_original) {
  const uintptr_t *variable = &r[GOMP_REDUCTION_FIRST], *at = NULL;
  uintptr_t copies = r[GOMP_REDUCTION_COPIES], is_copy, offset = 0;
  is_copy = address >= copies && address < r[GOMP_REDUCTION_END];
  if (is_copy) offset = (address - copies) % r[GOMP_REDUCTION_BYTES];
  for (uintptr_t i = 0; i < r[GOMP_REDUCTION_COUNT]; i++, variable += GOMP_REDUCTION_WIDTH)
    if (is_copy ? variable[1] == offset : variable[0] == address) at = variable;
  if (!at && !is_copy) return 0;
  *out_offset = at ? at[1] : offset;
  *out_original = at ? at[0] : address;
  return 1;
}

/* Replaces each address of a reduced variable, or of any thread's copy, by the address of the calling
 * thread's copy. Stores the original addresses of the first `originals` variables after the
 * `count` addresses. */
SOLO_EXPORT void GOMP_task_reduction_remap(size_t count, size_t originals, void **addresses) {
  kmpc_thread *self = solo_kmp_self();
  for (size_t i = 0; i < count; i++) {
    uintptr_t offset = 0, original = 0;
    const uintptr_t *found = NULL;
    for (kmpc_taskgroup *group = self->context.task->taskgroup; group && !found;
         group = group->outer)
      for (const uintptr_t *r = group->gomp_reductions; r && !found;
           r = (const uintptr_t *)r[GOMP_REDUCTION_NEXT])
        if (find_in(r, (uintptr_t)addresses[i], &offset, &original)) found = r;
    if (!found)
      solo_kmp_fatal("in_reduction: no enclosing taskgroup reduces the variable at %p",
                     addresses[i]);
    addresses[i] = (void *)(found[GOMP_REDUCTION_COPIES] +
                            found[GOMP_REDUCTION_BYTES] * (uintptr_t)self->context.tid + offset);
    if (i < originals) addresses[count + i] = (void *)original;
  }
}
