/* GOMP_parallel: a parallel region with a body of one argument. */
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

void solo_gomp_fork(kmpc_micro micro, int32_t count, void **args, unsigned threads, unsigned bind) {
  kmpc_thread *self = solo_kmp_self();
  kmpc_region region = solo_gomp_region(self, micro, count, args, threads, bind);
  if (SOLO_LIKELY(region.size > 1))
    solo_kmp_region_run(self, &region);
  else
    solo_kmp_region_serial(self, &region);
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
