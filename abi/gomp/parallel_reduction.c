/* GOMP_parallel_reductions: parallel with reduction(task, ...). The first word of the body's data
 * points to the array of the reductions. All implicit tasks share the copies. */
#include "abi/gomp/internal.h"
#include "abi/kmpc/task/task.h"

typedef struct reducing {
  gomp_function *body;
  void *data;
  uintptr_t *reductions;
  int32_t size; /* output: threads of the region */
} reducing;

static void run(int32_t *gtid, int32_t *tid, reducing *work) {
  kmpc_thread *self = &solo_kmp_thread_record;
  (void)gtid, (void)tid;
  solo_gomp_begin_part();
  if (self->context.tid == 0) work->size = self->context.team->size;
  kmpc_taskgroup *group = solo_kmp_taskgroup_open(self);
  group->is_implicit = 1;
  group->gomp_reductions = work->reductions;
  work->body(work->data);
  solo_kmp_taskgroup_close(self);
}

SOLO_EXPORT unsigned GOMP_parallel_reductions(gomp_function *body, void *data, unsigned threads,
                                              unsigned flags) {
  kmpc_thread *self = solo_kmp_self();
  reducing work = {.body = body, .data = data, .reductions = *(uintptr_t **)data};
  void *args[1] = {&work};
  kmpc_micro micro = (kmpc_micro)(void (*)(void))run;
  kmpc_region region = solo_gomp_region(self, micro, 1, args, threads, flags);
  solo_gomp_copies_make(work.reductions, region.size, 1);
  work.reductions[GOMP_REDUCTION_NEXT] = 0;
  solo_gomp_run_region(self, &region, flags);
  return (unsigned)work.size;
}
