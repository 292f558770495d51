#include "abi/gomp/internal.h"
#include "abi/gomp/presence.h"
#include "abi/kmpc/env/icv.h"

#include <string.h>

kmpc_region solo_gomp_region(kmpc_thread *self, kmpc_micro micro, int32_t count, void **args,
                             unsigned threads, unsigned bind) {
  kmpc_region region = {.micro = micro, .args = args, .arg_count = count};
  region.bind = solo_kmp_binding(self->context.task->icvs, (int32_t)(bind & 7));
  region.size = threads == 1 ? 1 : solo_kmp_region_size(self, (int32_t)threads);
  return region;
}

static void run_region(kmpc_thread *self, const kmpc_region *region) {
  if (SOLO_LIKELY(region->size > 1))
    solo_kmp_region_run(self, region);
  else
    solo_kmp_region_serial(self, region);
}

/* As in libgomp, the clause proc_bind is also the policy of nested regions. A region inherits the list
 * proc_bind without the first of several elements, so `bind` replaces the next one. */
static SOLO_NOINLINE void run_bound(kmpc_thread *self, const kmpc_region *region, int32_t bind) {
  kmpc_task *task = self->context.task;
  const kmpc_icvs *icvs = task->icvs;
  if (icvs->proc_bind_count && icvs->proc_bind[0] != KMPC_BIND_FALSE) {
    kmpc_icvs value = *icvs;
    value.proc_bind[value.proc_bind_count > 1] = bind;
    task->icvs = solo_kmp_icvs_intern(&value);
  }
  run_region(self, region);
  task->icvs = icvs;
}

void solo_gomp_run_region(kmpc_thread *self, const kmpc_region *region, unsigned bind) {
  if (SOLO_UNLIKELY(bind & 7))
    run_bound(self, region, region->bind);
  else
    run_region(self, region);
}

void solo_gomp_fork(kmpc_micro micro, int32_t count, void **args, unsigned threads, unsigned bind) {
  kmpc_thread *self = solo_kmp_self();
  kmpc_region region = solo_gomp_region(self, micro, count, args, threads, bind);
  solo_gomp_run_region(self, &region, bind);
}

static void run(int32_t *gtid, int32_t *tid, gomp_function *body, void *data) {
  (void)gtid, (void)tid;
  solo_gomp_begin_part();
  body(data);
}

SOLO_EXPORT void GOMP_parallel(gomp_function *body, void *data, unsigned threads, unsigned flags) {
  void *args[2] = {NULL, data};
  memcpy(&args[0], &body, sizeof body);
  solo_gomp_fork((kmpc_micro)(void (*)(void))run, 2, args, threads, flags);
}
