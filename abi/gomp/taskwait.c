#include "abi/gomp/internal.h"
#include "abi/kmpc/task/task.h"

int32_t __kmpc_omp_taskwait(kmpc_ident *loc, int32_t gtid);
int32_t __kmpc_omp_taskyield(kmpc_ident *loc, int32_t gtid, int32_t end_part);

SOLO_EXPORT void GOMP_taskwait(void) {
  __kmpc_omp_taskwait(NULL, 0);
}

SOLO_EXPORT void GOMP_taskwait_depend(void **depend) {
  (void)solo_kmp_self();
  solo_gomp_depend_wait(depend);
}

static void empty(void *data) {
  (void)data;
}

/* For GCC 13: an empty task with these dependences. */
SOLO_EXPORT void GOMP_taskwait_depend_nowait(void **depend) {
  GOMP_task(empty, NULL, NULL, 0, 1, true, GOMP_TASK_DEPEND, depend, 0, NULL);
}

SOLO_EXPORT void GOMP_taskyield(void) {
  solo_kmp_ensure_task_cache(solo_kmp_self());
  __kmpc_omp_taskyield(NULL, 0, 0);
}

SOLO_EXPORT void GOMP_taskgroup_start(void) {
  (void)solo_kmp_taskgroup_open(solo_kmp_self());
}

SOLO_EXPORT void GOMP_taskgroup_end(void) {
  solo_kmp_taskgroup_close(solo_kmp_self());
}
