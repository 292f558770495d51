/* Wrappers of libomp functions for kernels (host_libomp.h). */
#include "backends/host/host_libomp.h"

#include "backends/host/host_call.h"
#include "backends/host/host_orphans.h"
#include "runtime/exports.h"
#include "runtime/host_threads.h"
#include <stdarg.h>
#include <string.h>

enum { MOST_ON_STACK = 62 };

/* alloca() without a limit: the caller's stack already contains this number of arguments. */
#define BY_COUNT(count) ((uint64_t *)__builtin_alloca((count) * sizeof(uint64_t)))

extern int omp_get_active_level(void) SOLO_WEAK;
extern int omp_in_parallel(void) SOLO_WEAK;
extern int omp_get_ancestor_thread_num(int level) SOLO_WEAK;
extern int omp_get_team_size(int level) SOLO_WEAK;
extern int32_t __kmpc_global_thread_num(void *loc) SOLO_WEAK;
extern void __kmpc_serialized_parallel(void *loc, int32_t gtid) SOLO_WEAK;
extern void __kmpc_fork_call(void *loc, int32_t count, void *function, ...) SOLO_WEAK;
extern void __kmpc_fork_teams(void *loc, int32_t count, void *function, ...) SOLO_WEAK;

static struct {
  int32_t reserved, flags, reserved_2, length;
  const char *source;
} location = {0, 2, 0, 22, ";unknown;unknown;0;0;;"};

typedef struct fork {
  const void *function;
  uint64_t count;
  const uint64_t *arguments;
  solo_target_context place;
} fork;

static void run(const fork *f, uint64_t *slots) {
  solo_target_context outer = solo_target_current;
  solo_target_current = f->place;
  memcpy(slots + 2, f->arguments, f->count * sizeof *slots);
  solo_host_call(f->function, slots, f->count + 2);
  solo_target_current = outer;
}

static void forked(int32_t *gtid, int32_t *bound, fork *f) {
  uint64_t few[MOST_ON_STACK + 2], *slots = few;
  if (SOLO_UNLIKELY(f->count > MOST_ON_STACK)) slots = BY_COUNT(f->count + 2);
  slots[0] = (uintptr_t)gtid;
  slots[1] = (uintptr_t)bound;
  run(f, slots);
}

/* Calls an outlined function. Stores pointers to the thread numbers in the first two slots. */
SOLO_INLINE void call_here(const void *function, uint64_t *slots, uint64_t count) {
  int32_t gtid = solo_target_current.libomp_thread - 1, zero = 0;
  if (SOLO_UNLIKELY(gtid < 0)) gtid = __kmpc_global_thread_num(&location);
  /* Slots may contain addresses of local variables, because only the called function reads them. */
  slots[0] = (uintptr_t)&gtid; /* cppcheck-suppress autoVariables */
  slots[1] = (uintptr_t)&zero; /* cppcheck-suppress autoVariables */
  /* NOLINTNEXTLINE(clang-analyzer-core.StackAddressEscape) */
  solo_host_call(function, slots, count + 2);
}

/* Executes one team of a league that solo created. The caller has set solo_target_current. */
static void run_team(const void *argument) {
  const fork *f = argument;
  uint64_t few[MOST_ON_STACK + 2], *slots = few;
  if (SOLO_UNLIKELY(f->count > MOST_ON_STACK)) slots = BY_COUNT(f->count + 2);
  for (uint64_t i = 0; i < f->count; i++) slots[2 + i] = f->arguments[i];
  call_here(f->function, slots, f->count);
}

typedef void fork_function(void *loc, int32_t count, void *function, ...);

static SOLO_NOINLINE void fork_on_threads(fork_function *real, void *loc, const void *function,
                                          const uint64_t *arguments, uint64_t count) {
  fork f = {function, count, arguments, solo_target_current};
  f.place.is_plain = f.place.is_serialized = 0;
  f.place.libomp_thread = 0;
  if (real == __kmpc_fork_call || !solo_over_libomp.league(run_team, &f))
    real(loc, 1, (void *)(uintptr_t)forked, &f);
}

SOLO_INLINE void fork_with(fork_function *real, void *loc, int32_t count, void *function,
                           va_list list) {
  uint64_t few[MOST_ON_STACK + 2], *slots = few;
  if (SOLO_UNLIKELY(count > MOST_ON_STACK)) slots = BY_COUNT((size_t)count + 2);
  for (int32_t i = 0; i < count; i++) slots[2 + i] = (uintptr_t)va_arg(list, void *);
  if (real != __kmpc_fork_call || !solo_target_current.is_alone) {
    fork_on_threads(real, loc, function, slots + 2, (uint64_t)count);
    return;
  }
  /* is_alone: the parallel region would have one thread. Therefore the region is a plain call, which
   * counts as one level. */
  solo_target_enter_alone();
  call_here(function, slots, (uint64_t)count);
  solo_target_leave_alone();
}

static void wrap_fork_call(void *loc, int32_t count, void *function, ...) {
  va_list list;
  va_start(list, function);
  fork_with(__kmpc_fork_call, loc, count, function, list);
  va_end(list);
}

static void wrap_fork_teams(void *loc, int32_t count, void *function, ...) {
  va_list list;
  va_start(list, function);
  fork_with(__kmpc_fork_teams, loc, count, function, list);
  va_end(list);
}

static int wrap_level(void) {
  return omp_get_level() - solo_target_current.level;
}

static int wrap_active_level(void) {
  return omp_get_active_level() - solo_target_current.active_level;
}

static int wrap_in_parallel(void) {
  int is_counted = solo_target_current.level || solo_target_current.alone;
  return is_counted ? wrap_active_level() > 0 : omp_in_parallel();
}

static int is_of_one(int level) {
  return level == 0 || (solo_target_current.alone && level > 0 && level <= wrap_level());
}

static int wrap_ancestor_thread_num(int level) {
  return is_of_one(level)
             ? 0
             : omp_get_ancestor_thread_num(level < 0 ? level : level + solo_target_current.level);
}

static int wrap_team_size(int level) {
  return is_of_one(level)
             ? 1
             : omp_get_team_size(level < 0 ? level : level + solo_target_current.level);
}

uintptr_t solo_host_libomp_wrapper(const char *name) {
  static const struct {
    const char *name;
    uintptr_t wrapper;
  } wrappers[] = {
      {"__kmpc_fork_call", (uintptr_t)wrap_fork_call},
      {"__kmpc_fork_teams", (uintptr_t)wrap_fork_teams},
      {"omp_get_level", (uintptr_t)wrap_level},
      {"omp_get_active_level", (uintptr_t)wrap_active_level},
      {"omp_in_parallel", (uintptr_t)wrap_in_parallel},
      {"omp_get_ancestor_thread_num", (uintptr_t)wrap_ancestor_thread_num},
      {"omp_get_team_size", (uintptr_t)wrap_team_size},
  };
  if (&solo_host_threads || !omp_get_level || !__kmpc_fork_call || !__kmpc_fork_teams ||
      !__kmpc_serialized_parallel)
    return 0; /* the program uses solo's host threads (abi/kmpc), or has no libomp */
  for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++)
    if (strcmp(name, wrappers[i].name) == 0) return wrappers[i].wrapper;
  uintptr_t orphan = solo_host_orphan(name);
  if (orphan) return orphan;
  return &solo_over_libomp ? solo_over_libomp.device_function(name) : 0;
}
