/* The device runtime over libomp: device.h's seam in the core, for CPU images in programs whose
 * threads are libomp's. Everything through libomp's public entries, which are weak: in static
 * programs nobody asks for this file's functions.
 *
 * libomp has no more teams than processors (and warns), so a league is as wide as it can be there
 * and each of its teams runs several of ours, one after the other; solo_target_current knows which.
 * Within a parallel region of the host libomp can have no league at all: then the calling thread
 * runs all teams. libomp reduces across a league only in the teams' initial threads, while flang's
 * kernels do it in the teams' parallel regions: inside our leagues reductions are critical
 * sections.
 */
#include "abi/kmpc/fortran/device.h"

#include "runtime/base/log.h"
#include "runtime/exports.h"
#include <string.h>

typedef struct kmpc_ident kmpc_ident;
typedef void (*kmpc_micro)(int32_t *gtid, int32_t *tid, ...);
typedef void (*combine_function)(void *, void *);

extern int omp_get_thread_num(void) SOLO_WEAK;
extern int omp_get_num_threads(void) SOLO_WEAK;
extern int omp_get_max_threads(void) SOLO_WEAK;
extern int omp_get_num_procs(void) SOLO_WEAK;
extern int omp_get_team_num(void) SOLO_WEAK;
extern int omp_get_num_teams(void) SOLO_WEAK;
extern int omp_get_max_teams(void) SOLO_WEAK;
extern int32_t __kmpc_global_thread_num(kmpc_ident *) SOLO_WEAK;
extern void __kmpc_barrier(kmpc_ident *, int32_t) SOLO_WEAK;
extern void __kmpc_push_num_threads(kmpc_ident *, int32_t, int32_t) SOLO_WEAK;
extern void __kmpc_push_proc_bind(kmpc_ident *, int32_t, int32_t) SOLO_WEAK;
extern void __kmpc_push_num_teams(kmpc_ident *, int32_t, int32_t, int32_t) SOLO_WEAK;
extern void __kmpc_fork_call(kmpc_ident *, int32_t, kmpc_micro, ...) SOLO_WEAK;
extern void __kmpc_fork_teams(kmpc_ident *, int32_t, kmpc_micro, ...) SOLO_WEAK;
extern void __kmpc_serialized_parallel(kmpc_ident *, int32_t) SOLO_WEAK;
extern void __kmpc_end_serialized_parallel(kmpc_ident *, int32_t) SOLO_WEAK;
extern void __kmpc_critical(kmpc_ident *, int32_t, void *lock) SOLO_WEAK;
extern void __kmpc_end_critical(kmpc_ident *, int32_t, void *lock) SOLO_WEAK;
extern int32_t __kmpc_reduce(kmpc_ident *, int32_t, int32_t, size_t, void *, combine_function,
                             void *lock) SOLO_WEAK;
extern int32_t __kmpc_reduce_nowait(kmpc_ident *, int32_t, int32_t, size_t, void *,
                                    combine_function, void *lock) SOLO_WEAK;
extern void __kmpc_end_reduce(kmpc_ident *, int32_t, void *lock) SOLO_WEAK;
extern void __kmpc_end_reduce_nowait(kmpc_ident *, int32_t, void *lock) SOLO_WEAK;

/* --- parallel regions ------------------------------------------------------------------------- */

typedef struct forked {
  const solo_device_region *region;
  solo_target_context place;
} forked;

/* flang passes one pointer to a record, or nothing */
enum { MOST_ARGUMENTS = 4 };

static void call_micro(const solo_device_region *region, int32_t *gtid, int32_t *tid) {
  void *a[MOST_ARGUMENTS] = {0};
  kmpc_micro micro;
  memcpy(&micro, &region->micro, sizeof micro); /* a function, though ISO C keeps them apart */
  for (int32_t i = 0; i < region->count; i++) a[i] = region->args[i];
  micro(gtid, tid, a[0], a[1], a[2], a[3]);
}

/* What libomp calls on each thread: it is where the thread is that met the region. */
static void run_forked(int32_t *gtid, int32_t *tid, forked *f) {
  solo_target_context outer = solo_target_current;
  solo_target_current = f->place;
  call_micro(f->region, gtid, tid);
  solo_target_current = outer;
}

void solo_device_fork(kmpc_ident *loc, const solo_device_region *region) {
  int32_t gtid = __kmpc_global_thread_num(loc), zero = 0;
  if (SOLO_UNLIKELY(region->count > MOST_ARGUMENTS)) {
    solo_warn("a parallel region of a CPU kernel with %d arguments: no more than %d are supported",
              region->count, MOST_ARGUMENTS);
    __builtin_trap();
  }
  if (region->serial) {
    __kmpc_serialized_parallel(loc, gtid);
    call_micro(region, &gtid, &zero);
    __kmpc_end_serialized_parallel(loc, gtid);
    return;
  }
  if (region->threads > 0) __kmpc_push_num_threads(loc, gtid, region->threads);
  if (region->bind >= 0) __kmpc_push_proc_bind(loc, gtid, region->bind);
  forked f = {region, solo_target_current};
  __kmpc_fork_call(loc, 1, (kmpc_micro)run_forked, &f);
}

void solo_device_barrier(kmpc_ident *loc) {
  __kmpc_barrier(loc, __kmpc_global_thread_num(loc));
}

solo_device_part solo_device_thread(void) {
  return (solo_device_part){(uint64_t)omp_get_thread_num(), (uint64_t)omp_get_num_threads()};
}

/* --- leagues ---------------------------------------------------------------------------------- */

typedef struct league {
  const solo_target_call *call;
  int32_t teams;
  solo_target_context place;
} league;

static kmpc_ident *location(void) {
  static struct {
    int32_t reserved, flags, reserved_2, length;
    const char *source;
  } where = {0, 2, 0, 22, ";unknown;unknown;0;0;;"};
  return (kmpc_ident *)(void *)&where;
}

solo_device_part solo_device_team(void) {
  const solo_target_context *local_count = &solo_target_current;
  if (local_count->teams <= 0) return (solo_device_part){0, 1};
  return (solo_device_part){(uint64_t)local_count->team, (uint64_t)local_count->teams};
}

const solo_target_call *solo_device_launch(void) {
  return solo_target_current.teams > 0 ? NULL : solo_target_current.call;
}

int32_t solo_device_budget(void) {
  int32_t processors = omp_get_num_procs(), threads = omp_get_max_threads();
  return threads < processors ? threads : processors;
}

int32_t solo_device_teams_wanted(void) {
  return omp_get_max_teams ? omp_get_max_teams() : 0;
}

/* Number `part` of `parts` runs its share of the teams. */
static void run_teams(const league *l, int64_t part, int64_t parts) {
  solo_target_current.teams = l->teams;
  int32_t end = (int32_t)(l->teams * (part + 1) / parts);
  for (int32_t team = (int32_t)(l->teams * part / parts); team < end; team++) {
    solo_target_current.team = team;
    l->call->enter(l->call);
  }
}

static void run_share(int32_t *gtid, int32_t *tid, const league *l) {
  (void)gtid, (void)tid;
  solo_target_context outer = solo_target_current;
  solo_target_current = l->place;
  run_teams(l, omp_get_team_num(), omp_get_num_teams());
  solo_target_current = outer;
}

int32_t solo_device_league(const solo_target_call *call, int32_t teams, int32_t thread_limit) {
  league l = {call, teams, solo_target_current};
  if (teams == 1 && thread_limit == 0) {
    solo_target_current.team = 0; /* the host's, if this is in one, does not count; launch resets */
    solo_target_current.teams = 1;
    return 0;
  }
  if (solo_target_current.level > 0) {
    run_teams(&l, 0, 1);
    return 1;
  }
  int32_t budget = solo_device_budget();
  int32_t width = teams < budget ? teams : budget, threads = budget / width;
  if (thread_limit > 0 && thread_limit < threads) threads = thread_limit;
  kmpc_ident *loc = location();
  __kmpc_push_num_teams(loc, __kmpc_global_thread_num(loc), width, threads);
  __kmpc_fork_teams(loc, 1, (kmpc_micro)run_share, &l);
  return 1;
}

void solo_device_no_memory(void) {
  solo_warn("out of memory for a variable that threads share");
  __builtin_trap();
}

/* --- what is different inside a league of ours ------------------------------------------------ */

static int team_num(void) {
  return solo_target_current.teams > 0 ? solo_target_current.team : omp_get_team_num();
}

static int num_teams(void) {
  return solo_target_current.teams > 0 ? solo_target_current.teams : omp_get_num_teams();
}

/* Clang knows the answer when it compiles device code, flang asks libomp. */
static int is_initial_device(void) {
  return solo_target_current.device < 0;
}

enum { PLAIN = 1 };

static int32_t reduce(kmpc_ident *loc, int32_t gtid, int32_t count, size_t size, void *data,
                      combine_function combine, void *lock) {
  if (solo_target_current.teams <= 1)
    return __kmpc_reduce(loc, gtid, count, size, data, combine, lock);
  __kmpc_critical(loc, gtid, lock);
  return PLAIN;
}

static int32_t reduce_nowait(kmpc_ident *loc, int32_t gtid, int32_t count, size_t size, void *data,
                             combine_function combine, void *lock) {
  if (solo_target_current.teams <= 1)
    return __kmpc_reduce_nowait(loc, gtid, count, size, data, combine, lock);
  __kmpc_critical(loc, gtid, lock);
  return PLAIN;
}

static void end_reduce(kmpc_ident *loc, int32_t gtid, void *lock) {
  if (solo_target_current.teams <= 1) {
    __kmpc_end_reduce(loc, gtid, lock);
    return;
  }
  __kmpc_end_critical(loc, gtid, lock);
  __kmpc_barrier(loc, gtid);
}

static void end_reduce_nowait(kmpc_ident *loc, int32_t gtid, void *lock) {
  if (solo_target_current.teams <= 1)
    __kmpc_end_reduce_nowait(loc, gtid, lock);
  else
    __kmpc_end_critical(loc, gtid, lock);
}

/* --- for the loader of images ----------------------------------------------------------------- */

#define XX(name) extern char solo_libomp_##name[];
SOLO_DEVICE_NAMES(XX)
#undef XX

uintptr_t solo_libomp_device_function(const char *name) {
  static const struct {
    const char *name;
    char *address;
  } plain[] = {
#define XX(name) {"__kmpc_" #name, solo_libomp_##name},
      SOLO_DEVICE_NAMES(XX)
#undef XX
  };
  static const struct {
    const char *name;
    uintptr_t address;
  } wrapped[] = {
      {"__kmpc_reduce", (uintptr_t)reduce},
      {"__kmpc_reduce_nowait", (uintptr_t)reduce_nowait},
      {"__kmpc_end_reduce", (uintptr_t)end_reduce},
      {"__kmpc_end_reduce_nowait", (uintptr_t)end_reduce_nowait},
      {"omp_is_initial_device", (uintptr_t)is_initial_device},
      {"omp_get_team_num", (uintptr_t)team_num},
      {"omp_get_num_teams", (uintptr_t)num_teams},
  };
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (strcmp(name, plain[i].name) == 0) return (uintptr_t)plain[i].address;
  for (size_t i = 0; i < sizeof wrapped / sizeof *wrapped; i++)
    if (strcmp(name, wrapped[i].name) == 0) return wrapped[i].address;
  return 0;
}
