/* Leagues over libomp, for kernels in CPU images if libomp provides the host threads. libomp
 * creates at most one team per processor, but num_teams(n) requires n teams (OpenMP 5.2, 10.2).
 * Therefore each libomp team executes several teams of a larger league in sequence: first its block,
 * then halves of the blocks of other libomp teams. Inside a host parallel region libomp has no leagues,
 * and the calling thread executes all teams. Reductions: as in league_reduce.c. */
#include "abi/kmpc/fortran/device.h"
#include "runtime/base/fewer_threads.h"

#include "abi/kmpc/loop/loop.h"
#include "abi/kmpc/loop/portion.h"
#include "abi/kmpc/loop/schedule.h"
#include "runtime/backend.h"
#include "runtime/base/settings.h"
#include "runtime/exports.h"
#include "runtime/trace/observer.h"
#include <string.h>

typedef void (*combine_function)(void *, void *);

extern int omp_get_max_threads(void) SOLO_WEAK;
extern int omp_get_num_procs(void) SOLO_WEAK;
extern int omp_get_thread_num(void) SOLO_WEAK;
extern int omp_get_num_threads(void) SOLO_WEAK;
extern int omp_get_team_num(void) SOLO_WEAK;
extern int omp_get_num_teams(void) SOLO_WEAK;
extern int omp_get_max_teams(void) SOLO_WEAK;
extern int omp_get_teams_thread_limit(void) SOLO_WEAK;
extern int omp_get_thread_limit(void) SOLO_WEAK;
extern int omp_get_cancellation(void) SOLO_WEAK;
extern int32_t __kmpc_global_thread_num(kmpc_ident *) SOLO_WEAK;
extern void __kmpc_barrier(kmpc_ident *, int32_t) SOLO_WEAK;
extern void __kmpc_push_num_threads(kmpc_ident *, int32_t, int32_t) SOLO_WEAK;
extern void __kmpc_push_proc_bind(kmpc_ident *, int32_t, int32_t) SOLO_WEAK;
extern void __kmpc_push_num_teams(kmpc_ident *, int32_t, int32_t, int32_t) SOLO_WEAK;
extern void __kmpc_fork_teams(kmpc_ident *, int32_t, kmpc_micro, ...) SOLO_WEAK;
extern void __kmpc_critical(kmpc_ident *, int32_t, void *lock) SOLO_WEAK;
extern void __kmpc_end_critical(kmpc_ident *, int32_t, void *lock) SOLO_WEAK;
extern int32_t __kmpc_reduce(kmpc_ident *, int32_t, int32_t, size_t, void *, combine_function,
                             void *lock) SOLO_WEAK;
extern int32_t __kmpc_reduce_nowait(kmpc_ident *, int32_t, int32_t, size_t, void *,
                                    combine_function, void *lock) SOLO_WEAK;
extern void __kmpc_end_reduce(kmpc_ident *, int32_t, void *lock) SOLO_WEAK;
extern void __kmpc_end_reduce_nowait(kmpc_ident *, int32_t, void *lock) SOLO_WEAK;

typedef struct league {
  void (*enter)(const void *argument);
  const void *argument;
  int32_t teams, width;
  int32_t limit; /* threads of each team; 0: libomp's limit */
  uint32_t grain;
  kmpc_loop_range *ranges;
  solo_target_context place;
} league;

typedef struct league_share {
  const league *league;
  int32_t part;
  int32_t next, end;
  /* Arguments of the reduction in which the thread's first team waits. `collect` is NULL if none does. */
  combine_function collect;
  void *data, *lock;
} league_share;
static _Thread_local league_share *current_share;

static kmpc_ident *location(void) {
  static struct {
    int32_t reserved, flags, reserved_2, length;
    const char *source;
  } where = {0, 2, 0, 22, ";unknown;unknown;0;0;;"};
  return (kmpc_ident *)(void *)&where;
}

static int32_t lesser(int32_t a, int32_t b) {
  return a < b ? a : b;
}

int32_t solo_device_budget(void) {
  return lesser(omp_get_max_threads(), omp_get_num_procs());
}

/* The bound of num_threads: the larger of the number of processors and OMP_NUM_THREADS. */
static int32_t most_threads(void) {
  int32_t processors = omp_get_num_procs(), threads = omp_get_max_threads();
  return threads > processors ? threads : processors;
}

int32_t solo_device_teams_wanted(void) {
  int32_t teams = omp_get_max_teams ? omp_get_max_teams() : 0;
  /* value that libomp returns, after a warning, if OMP_NUM_TEAMS is too large */
  return teams == INT32_MAX ? 0 : teams;
}

int32_t solo_device_teams_limit(void) {
  return omp_get_teams_thread_limit ? omp_get_teams_thread_limit() : 0;
}

/* Limits the threads that a clause requests to `left`, unless SOLO_HOST_THREADS=exact. */
static int32_t limit_request(int32_t requested, int32_t left) {
  if (requested <= left || solo_settings()->host_threads) return requested;
  solo_report_fewer_threads(requested, left);
  return left;
}

solo_device_part solo_device_team(void) {
  const solo_target_context *now = &solo_target_current;
  if (now->teams <= 0) return (solo_device_part){0, 1};
  return (solo_device_part){(uint64_t)now->team, (uint64_t)now->teams};
}

/* Flang's kernels call this function first. Inside a host parallel region, solo_host_serialize()
 * serializes the kernel's parallel regions, because they must not use threads of the host's region. */
const solo_target_call *solo_device_launch(void) {
  if (!solo_target_current.is_alone) solo_host_serialize();
  return solo_target_current.teams > 0 ? NULL : solo_target_current.call;
}

static int acquire_teams(league_share *share) {
  const league *l = share->league;
  uint64_t begin, end;
  do {
    if (!solo_kmp_range_reserve(&l->ranges[share->part], l->grain, &begin, &end)) continue;
    share->next = (int32_t)begin;
    share->end = (int32_t)end;
    return 1;
  } while (solo_kmp_ranges_steal(l->ranges, l->width, share->part));
  return 0;
}

static void run_share(league_share *share) {
  do {
    while (share->next < share->end) {
      solo_target_current.team = share->next++;
      share->league->enter(share->league->argument);
    }
  } while (acquire_teams(share));
}

static void run_teams(const league *l, int32_t part) {
  league_share share = {.league = l, .part = part};
  league_share *outer = current_share;
  current_share = &share;
  solo_target_current.teams = l->teams;
  if (part < l->width)
    run_share(&share); /* the test is false only if libomp creates more teams than requested */
  current_share = outer;
}

static void run_team_of_libomp(int32_t *gtid, int32_t *tid, const league *l) {
  (void)tid;
  solo_target_context outer = solo_target_current;
  solo_target_current = l->place;
  solo_target_current.libomp_thread = *gtid + 1;
  run_teams(l, omp_get_team_num());
  solo_target_current = outer;
}

enum { GRAINS = 8 };

/* A macro, because memory of alloca is freed when a function returns. */
#define DEAL_TEAMS(l)                                                                              \
  do {                                                                                             \
    (l)->ranges = __builtin_alloca_with_align((size_t)(l)->width * sizeof *(l)->ranges,            \
                                              8 * _Alignof(kmpc_loop_range));                      \
    (l)->grain = (uint32_t)((l)->teams / ((l)->width * GRAINS) + 1);                               \
    solo_kmp_ranges_divide((l)->ranges, (l)->width, (uint64_t)(l)->teams);                         \
  } while (0)

/* Runs the teams on libomp's teams, or in sequence inside a parallel region. thread_limit: maximum
 * threads of each team; 0: none. */
static void run_league(league *l, int32_t thread_limit) {
  l->place = solo_target_current;
  l->width = 1;
  if (solo_target_current.level > 0) {
    int32_t team = solo_target_current.team, teams = solo_target_current.teams;
    if (thread_limit > 0) l->limit = limit_request(thread_limit, omp_get_num_procs());
    DEAL_TEAMS(l);
    run_teams(l, 0);
    solo_target_current.team = team;
    solo_target_current.teams = teams;
    return;
  }
  /* OMP_NUM_THREADS limits the threads of a team, not the number of teams */
  int32_t processors = omp_get_num_procs();
  int32_t width = lesser(l->teams, processors);
  int32_t threads = lesser(processors / width, omp_get_max_threads());
  if (thread_limit > 0) threads = limit_request(thread_limit, threads);
  l->width = width;
  l->place.is_alone = threads == 1 && !(omp_get_cancellation && omp_get_cancellation());
  DEAL_TEAMS(l);
  kmpc_ident *loc = location();
  __kmpc_push_num_teams(loc, __kmpc_global_thread_num(loc), width, threads);
  __kmpc_fork_teams(loc, 1, (kmpc_micro)run_team_of_libomp, l);
}

static void enter_call(const void *call) {
  ((const solo_target_call *)call)->enter(call);
}

int32_t solo_device_league(const solo_target_call *call, int32_t teams, int32_t thread_limit) {
  if (teams == 1 && thread_limit == 0) {
    solo_target_current.team = 0;
    solo_target_current.teams = 1;
    return 0;
  }
  league l = {.enter = enter_call, .argument = call, .teams = teams};
  run_league(&l, thread_limit);
  return 1;
}

static void push_num_teams(kmpc_ident *loc, int32_t gtid, int32_t teams, int32_t thread_limit) {
  (void)loc, (void)gtid;
  solo_target_current.announced_teams = teams;
  solo_target_current.announced_limit = thread_limit;
}

static int32_t announced_league(void (*enter)(const void *argument), const void *argument) {
  int32_t teams = solo_target_current.announced_teams, limit = solo_target_current.announced_limit;
  solo_target_current.announced_teams = solo_target_current.announced_limit = 0;
  const solo_target_call *call = solo_target_current.call;
  /* set by omp_set_device_num_teams */
  if (teams <= 0 && call) teams = (int32_t)call->launch->teams[0];
  if (teams <= 0) teams = solo_device_teams_wanted();
  if (teams <= 0) teams = 1;
  if (limit <= 0 && call) limit = (int32_t)call->launch->threads[0];
  if (limit <= 0) limit = solo_device_teams_limit();
  int32_t budget = omp_get_num_procs();
  int32_t is_one = teams == 1 && !(solo_target_current.is_alone && solo_target_current.level > 0);
  if (is_one || (teams <= budget && solo_target_current.level == 0)) {
    if (limit > 0) limit = limit_request(limit, budget / teams);
    __kmpc_push_num_teams(location(), __kmpc_global_thread_num(location()), teams, limit);
    return 0;
  }
  league l = {.enter = enter, .argument = argument, .teams = teams};
  run_league(&l, limit);
  return 1;
}

static void push_num_threads(kmpc_ident *loc, int32_t gtid, int32_t threads) {
  if (solo_target_current.is_alone) return;
  if (solo_target_current.call)
    threads = limit_request(threads,
                            solo_target_current.teams > 0 ? omp_get_max_threads() : most_threads());
  __kmpc_push_num_threads(loc, gtid, threads);
}

static void push_proc_bind(kmpc_ident *loc, int32_t gtid, int32_t bind) {
  if (!solo_target_current.is_alone) __kmpc_push_proc_bind(loc, gtid, bind);
}

static int team_num(void) {
  return solo_target_current.teams > 0 ? solo_target_current.team : omp_get_team_num();
}

static int num_teams(void) {
  return solo_target_current.teams > 0 ? solo_target_current.teams : omp_get_num_teams();
}

/* Returns whether one thread executes the current region: the target region is inside a parallel
 * region of the host, or the current region is a plain call (solo_target_context). */
static int is_alone_here(void) {
  return solo_target_current.is_plain || solo_target_current.alone;
}

/* Stores the number of the thread's part and the number of parts. Returns 0 if libomp must divide the
 * loop: if the schedule is not static, or if an OMPT tool observes the loop, because only libomp
 * reports loops. Solo divides all others, because libomp may format a line of text for each loop. */
static int is_divided_here(int32_t kind, kmpc_division *d) {
  int is_alone = is_alone_here();
  if (kind >= KMPC_DISTRIBUTE_FIRST && kind <= KMPC_DISTRIBUTE_LAST) {
    if (solo_target_current.teams <= 0 && solo_is_observed()) return 0;
    d->part = (uint32_t)team_num();
    d->parts = (uint32_t)num_teams();
    return 1;
  }
  if (kind != KMPC_STATIC && kind != KMPC_STATIC_CHUNKED) return 0;
  if (!is_alone && solo_is_observed()) return 0;
  d->part = is_alone ? 0 : (uint32_t)omp_get_thread_num();
  d->parts = is_alone ? 1 : (uint32_t)omp_get_num_threads();
  return 1;
}

static void divide_blocks(kmpc_portion *p, const kmpc_division *d, int32_t kind) {
  const league_share *share = current_share;
  int is_team = share && kind == KMPC_DISTRIBUTE_STATIC;
  solo_loop_team_block(p, d, is_team ? (uint32_t)share->league->width : 1);
}

#define DEFINE(suffix, type, steptype)                                                             \
  static SOLO_NOINLINE void divide_##suffix(kmpc_ident *loc, int32_t gtid, int32_t schedule,       \
                                            int32_t *last, type *lower, type *upper,               \
                                            steptype *stride, steptype step, steptype chunk) {     \
    int32_t kind = KMPC_SCHEDULE_KIND(schedule);                                                   \
    kmpc_division d = {.step = step, .chunk = chunk > 0 ? (uint64_t)chunk : 1};                    \
    if (KMPC_IS_EMPTY(*lower, *upper, step) || !is_divided_here(kind, &d)) {                       \
      solo_host_serialize();                                                                       \
      __kmpc_for_static_init_##suffix(loc, gtid, schedule, last, lower, upper, stride, step,       \
                                      chunk);                                                      \
      return;                                                                                      \
    }                                                                                              \
    kmpc_portion p = {.lower = (uint64_t)*lower, .upper = (uint64_t)*upper};                       \
    d.trip = solo_loop_trip_count(p.lower, p.upper, step);                                         \
    if (kind == KMPC_DISTRIBUTE_CHUNKED || kind == KMPC_STATIC_CHUNKED)                            \
      solo_loop_divide_chunks(&p, &d);                                                             \
    else                                                                                           \
      divide_blocks(&p, &d, kind);                                                                 \
    if (last) *last = p.last;                                                                      \
    *lower = (type)p.lower;                                                                        \
    *upper = (type)p.upper;                                                                        \
    *stride = (steptype)p.stride;                                                                  \
  }                                                                                                \
  static SOLO_NOINLINE void reserve_all_##suffix(                                                  \
      kmpc_ident *loc, int32_t gtid, int32_t schedule, int32_t *last, type *lower, type *upper,    \
      steptype *stride, steptype step, steptype chunk) {                                           \
    if (!is_alone_here() || KMPC_IS_EMPTY(*lower, *upper, step)) {                                 \
      divide_##suffix(loc, gtid, schedule, last, lower, upper, stride, step, chunk);               \
      return;                                                                                      \
    }                                                                                              \
    if (last) *last = 1;                                                                           \
    *stride = (steptype)((uint64_t)*upper - (uint64_t)*lower + (uint64_t)step);                    \
  }                                                                                                \
  static void for_static_init_##suffix(kmpc_ident *loc, int32_t gtid, int32_t schedule,            \
                                       int32_t *last, type *lower, type *upper, steptype *stride,  \
                                       steptype step, steptype chunk) {                            \
    int32_t kind = KMPC_SCHEDULE_KIND(schedule);                                                   \
    if (kind == KMPC_STATIC || kind == KMPC_STATIC_CHUNKED)                                        \
      reserve_all_##suffix(loc, gtid, schedule, last, lower, upper, stride, step, chunk);          \
    else                                                                                           \
      divide_##suffix(loc, gtid, schedule, last, lower, upper, stride, step, chunk);               \
  }
#define WEAK(suffix, type, steptype)                                                               \
  extern __typeof__(__kmpc_for_static_init_##suffix) __kmpc_for_static_init_##suffix SOLO_WEAK;
KMPC_LOOP_TYPES(WEAK)
KMPC_LOOP_TYPES(DEFINE)
#undef DEFINE
#undef WEAK

/* For a league inside a parallel region libomp has no thread limit, so the league's own limit is
 * used. */
static int thread_limit_now(void) {
  int32_t limit = current_share ? current_share->league->limit : 0;
  return limit > 0 ? limit : omp_get_thread_limit();
}

static int is_initial_device(void) {
  return solo_target_current.device < 0;
}

enum { ADDED = 0, PLAIN = 1 };

enum { STACK_MOST = 64 << 10 };

/* Adds `data` to the data of the thread's first team, if this team waits in its reduction. Only the
 * initial thread of a team reduces across the league. */
SOLO_INLINE int adds_to_waiting(void *data, combine_function combine, const void *lock) {
  const league_share *share = current_share;
  if (!share || !share->collect || share->collect != combine || share->lock != lock) return 0;
  if (!solo_target_current.is_alone || solo_target_current.is_plain || !data) return 0;
  combine(share->data, data);
  return 1;
}

/* Called in the reduction of the thread's first team: runs the other teams, which add their results to
 * `data`. The caller then adds the sum to the variable under the lock. */
static void reduce_first(void *data, combine_function combine, void *lock) {
  league_share *share = current_share;
  if (!share || share->collect || !solo_target_current.is_alone || !data || !combine) return;
  if ((char *)share - (char *)__builtin_frame_address(0) > STACK_MOST) return;
  int32_t team = solo_target_current.team;
  share->collect = combine;
  share->data = data;
  share->lock = lock;
  run_share(share);
  share->collect = NULL;
  solo_target_current.team = team;
}

typedef int32_t reduce_function(kmpc_ident *, int32_t, int32_t, size_t, void *, combine_function,
                                void *lock);

static SOLO_NOINLINE int32_t reduce_with(kmpc_ident *loc, int32_t gtid, int32_t count, size_t size,
                                         void *data, combine_function combine, void *lock,
                                         reduce_function *real) {
  solo_host_serialize();
  if (solo_target_current.teams <= 1) return real(loc, gtid, count, size, data, combine, lock);
  if (adds_to_waiting(data, combine, lock)) return ADDED;
  reduce_first(data, combine, lock);
  __kmpc_critical(loc, gtid, lock);
  return PLAIN;
}

static int32_t reduce(kmpc_ident *loc, int32_t gtid, int32_t count, size_t size, void *data,
                      combine_function combine, void *lock) {
  if (solo_target_current.alone) return PLAIN;
  return reduce_with(loc, gtid, count, size, data, combine, lock, __kmpc_reduce);
}

static int32_t reduce_nowait(kmpc_ident *loc, int32_t gtid, int32_t count, size_t size, void *data,
                             combine_function combine, void *lock) {
  if (solo_target_current.alone) return PLAIN;
  if (adds_to_waiting(data, combine, lock)) return ADDED;
  return reduce_with(loc, gtid, count, size, data, combine, lock, __kmpc_reduce_nowait);
}

static void end_reduce(kmpc_ident *loc, int32_t gtid, void *lock) {
  if (solo_target_current.alone) return;
  if (solo_target_current.teams <= 1) {
    __kmpc_end_reduce(loc, gtid, lock);
    return;
  }
  __kmpc_end_critical(loc, gtid, lock);
  __kmpc_barrier(loc, gtid);
}

static void end_reduce_nowait(kmpc_ident *loc, int32_t gtid, void *lock) {
  if (solo_target_current.alone) return;
  if (solo_target_current.teams <= 1)
    __kmpc_end_reduce_nowait(loc, gtid, lock);
  else
    __kmpc_end_critical(loc, gtid, lock);
}

#define XX(name) extern char solo_libomp_##name[];
SOLO_DEVICE_NAMES(XX)
#undef XX

static uintptr_t device_function(const char *name) {
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
      {"__kmpc_push_num_teams", (uintptr_t)push_num_teams},
      {"__kmpc_push_num_threads", (uintptr_t)push_num_threads},
      {"__kmpc_push_proc_bind", (uintptr_t)push_proc_bind},
#define XX(suffix, type, steptype)                                                                 \
  {"__kmpc_for_static_init_" #suffix, (uintptr_t)for_static_init_##suffix},
      KMPC_LOOP_TYPES(XX)
#undef XX
          {"omp_is_initial_device", (uintptr_t)is_initial_device},
      {"omp_get_team_num", (uintptr_t)team_num},
      {"omp_get_num_teams", (uintptr_t)num_teams},
      {"omp_get_thread_limit", (uintptr_t)thread_limit_now},
  };
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (strcmp(name, plain[i].name) == 0) return (uintptr_t)plain[i].address;
  for (size_t i = 0; i < sizeof wrapped / sizeof *wrapped; i++)
    if (strcmp(name, wrapped[i].name) == 0) return wrapped[i].address;
  return 0;
}

const solo_libomp_seam solo_over_libomp = {device_function, announced_league};
