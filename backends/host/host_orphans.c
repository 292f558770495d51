/* Orphaned constructs of a target region that was launched inside a parallel region of the host.
 * libomp would bind them to the host's team. Therefore the first call of such a construct starts a
 * serialized parallel region around the rest of the target region. If libomp would also serialize
 * parallel regions inside the target region, these regions are plain calls (is_alone).
 *
 * The serialized region does not start earlier, because hidden helper threads have no task team in
 * it: if another thread creates a target task, an assertion of libomp 19 fails
 * (kmp_tasking.cpp:4368). */
#include "backends/host/host_orphans.h"

#include "runtime/exports.h"
#include "runtime/host_threads.h"
#include <string.h>

extern int omp_get_active_level(void) SOLO_WEAK;
extern int omp_get_max_active_levels(void) SOLO_WEAK;
extern int omp_get_cancellation(void) SOLO_WEAK;
extern void omp_set_max_active_levels(int levels) SOLO_WEAK;
extern void omp_set_nested(int on) SOLO_WEAK;
extern int omp_get_thread_num(void) SOLO_WEAK;
extern int omp_get_num_threads(void) SOLO_WEAK;
extern void __kmpc_barrier(void *loc, int32_t gtid) SOLO_WEAK;
extern int32_t __kmpc_global_thread_num(void *loc) SOLO_WEAK;
extern void __kmpc_serialized_parallel(void *loc, int32_t gtid) SOLO_WEAK;
extern void __kmpc_end_serialized_parallel(void *loc, int32_t gtid) SOLO_WEAK;

static struct {
  int32_t reserved, flags, reserved_2, length;
  const char *source;
} location = {0, 2, 0, 22, ";unknown;unknown;0;0;;"};

static void enter_plain(void) {
  solo_target_current.level = omp_get_level();
  solo_target_current.active_level = omp_get_active_level();
  solo_target_current.is_plain = 1;
  solo_target_current.is_alone =
      solo_target_current.active_level >= omp_get_max_active_levels() && !omp_get_cancellation();
}

static void serialize(void) {
  if (SOLO_LIKELY(!solo_target_current.is_plain)) return;
  __kmpc_serialized_parallel(&location, __kmpc_global_thread_num(&location));
  solo_target_current.level++; /* so that queries do not count the serialized region */
  solo_target_current.is_plain = 0;
  solo_target_current.is_serialized = 1;
}

static void leave_plain(void) {
  if (solo_target_current.is_serialized)
    __kmpc_end_serialized_parallel(&location, __kmpc_global_thread_num(&location));
}

const solo_host_orphans_seam solo_host_orphans = {enter_plain, leave_plain, serialize};

static int thread_num(void) {
  return solo_target_current.is_plain ? 0 : omp_get_thread_num();
}

static int num_threads(void) {
  return solo_target_current.is_plain ? 1 : omp_get_num_threads();
}

/* nothing to do for a plain region: its team of one thread executes tasks at once */
static void barrier(void *loc, int32_t gtid) {
  if (!solo_target_current.is_plain) __kmpc_barrier(loc, gtid);
}

/* After this call, parallel regions inside the target region may have several threads. */
static void set_max_active_levels(int levels) {
  serialize();
  solo_target_current.is_alone = 0;
  omp_set_max_active_levels(levels);
}

static void set_nested(int on) {
  serialize();
  solo_target_current.is_alone = 0;
  omp_set_nested(on);
}

/* Only functions that begin a construct or query its team need wrappers. */
#define LOOPS(XX)                                                                                  \
  XX(4, int32_t, int32_t)                                                                          \
  XX(4u, uint32_t, int32_t)                                                                        \
  XX(8, int64_t, int64_t)                                                                          \
  XX(8u, uint64_t, int64_t)
#define ANSWERS(XX)                                                                                \
  XX(int32_t, __kmpc_cancel_barrier, (void *l, int32_t g), (l, g))                                 \
  XX(int32_t, __kmpc_single, (void *l, int32_t g), (l, g))                                         \
  XX(int32_t, __kmpc_master, (void *l, int32_t g), (l, g))                                         \
  XX(int32_t, __kmpc_masked, (void *l, int32_t g, int32_t f), (l, g, f))                           \
  XX(int32_t, __kmpc_cancel, (void *l, int32_t g, int32_t k), (l, g, k))                           \
  XX(int32_t, __kmpc_cancellationpoint, (void *l, int32_t g, int32_t k), (l, g, k))                \
  XX(int32_t, __kmpc_omp_taskwait, (void *l, int32_t g), (l, g))                                   \
  XX(void *, __kmpc_omp_task_alloc,                                                                \
     (void *l, int32_t g, int32_t flags, size_t size, size_t shared, void *entry),                 \
     (l, g, flags, size, shared, entry))                                                           \
  XX(int, omp_in_final, (void), ())
#define ACTIONS(XX)                                                                                \
  XX(__kmpc_taskgroup, (void *l, int32_t g), (l, g))                                               \
  XX(__kmpc_ordered, (void *l, int32_t g), (l, g))                                                 \
  XX(__kmpc_doacross_init, (void *l, int32_t g, int32_t n, void *dims), (l, g, n, dims))           \
  XX(omp_set_num_threads, (int n), (n))                                                            \
  XX(omp_set_dynamic, (int n), (n))                                                                \
  XX(omp_set_default_device, (int n), (n))                                                         \
  XX(omp_set_schedule, (int kind, int chunk), (kind, chunk))

#define ANSWER(type, name, parameters, arguments)                                                  \
  extern type name parameters SOLO_WEAK;                                                           \
  static type orphan_##name parameters {                                                           \
    serialize();                                                                                   \
    return name arguments;                                                                         \
  }
#define ACTION(name, parameters, arguments)                                                        \
  extern void name parameters SOLO_WEAK;                                                           \
  static void orphan_##name parameters {                                                           \
    serialize();                                                                                   \
    name arguments;                                                                                \
  }
#define LOOP(suffix, type, steptype)                                                               \
  ACTION(__kmpc_dispatch_init_##suffix,                                                            \
         (void *l, int32_t g, int32_t schedule, type lower, type upper, steptype step,             \
          steptype chunk),                                                                         \
         (l, g, schedule, lower, upper, step, chunk))
ANSWERS(ANSWER)
ACTIONS(ACTION)
LOOPS(LOOP)

uintptr_t solo_host_orphan(const char *name) {
  static const struct {
    const char *name;
    uintptr_t wrapper;
  } wrappers[] = {
#define ANSWER_ROW(type, name, parameters, arguments) {#name, (uintptr_t)orphan_##name},
#define ACTION_ROW(name, parameters, arguments)       {#name, (uintptr_t)orphan_##name},
#define LOOP_ROW(suffix, type, steptype)                                                           \
  {"__kmpc_dispatch_init_" #suffix, (uintptr_t)orphan___kmpc_dispatch_init_##suffix},
      {"__kmpc_barrier", (uintptr_t)barrier},
      {"omp_get_thread_num", (uintptr_t)thread_num},
      {"omp_get_num_threads", (uintptr_t)num_threads},
      {"omp_set_max_active_levels", (uintptr_t)set_max_active_levels},
      {"omp_set_nested", (uintptr_t)set_nested},
      ANSWERS(ANSWER_ROW) ACTIONS(ACTION_ROW) LOOPS(LOOP_ROW)};
  for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++)
    if (strcmp(name, wrappers[i].name) == 0) return wrappers[i].wrapper;
  return 0;
}
