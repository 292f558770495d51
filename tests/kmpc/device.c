/* Description: checks the device runtime that flang's kernels call: loop types, chunks, leagues,
 * reductions. Compiled without OpenMP, because Clang's own declarations of these functions differ.
 * Flags: -fno-openmp */
#include "runtime/backend.h"
#include "runtime/host_threads.h"
#include "tests/unit/test.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

typedef struct ident {
  int32_t reserved, flags, reserved_2, length;
  const char *source;
} ident;
static ident where = {0, 2, 0, 22, ";unknown;unknown;0;0;;"};

typedef struct environment {
  uint8_t state_machine, may_nest, mode; /* mode: 1 generic, 2 SPMD */
  int32_t least_threads, most_threads, least_teams, most_teams;
} environment;

int32_t __kmpc_target_init(const environment *kernel, const void *launch);
void __kmpc_target_deinit(void);
void __kmpc_parallel_60(ident *, int32_t, int32_t, int32_t, int32_t, void *, void *, void **,
                        int64_t, int32_t);
void __kmpc_parallel_51(ident *, int32_t, int32_t, int32_t, int32_t, void *, void *, void **,
                        int64_t);
void *__kmpc_alloc_shared(uint64_t size);
void __kmpc_free_shared(void *memory, uint64_t size);
int32_t __kmpc_global_thread_num(ident *);
int32_t __kmpc_reduce(ident *, int32_t, int32_t, size_t, void *, void (*)(void *, void *),
                      void *lock);
void __kmpc_end_reduce(ident *, int32_t, void *lock);
void __kmpc_barrier(ident *, int32_t);

#define TYPES(XX) XX(4, int32_t) XX(4u, uint32_t) XX(8, int64_t) XX(8u, uint64_t)
#define DECLARE(suffix, type)                                                                      \
  void __kmpc_for_static_loop_##suffix(ident *, void (*)(type, void *), void *, type, type, type,  \
                                       uint8_t);                                                   \
  void __kmpc_distribute_static_loop_##suffix(ident *, void (*)(type, void *), void *, type, type, \
                                              uint8_t);                                            \
  void __kmpc_distribute_for_static_loop_##suffix(ident *, void (*)(type, void *), void *, type,   \
                                                  type, type, type, uint8_t);
TYPES(DECLARE)

enum { MOST = 5000 };

typedef struct job {
  int kind; /* loop type */
  int64_t count, chunk, team_chunk;
  int form;
  int hits[MOST]; /* not atomic: only one thread executes an iteration */
  /* once: number of threads that executed the part of the kernel outside of loops */
  int32_t team_of[MOST], teams, once;
  int64_t sum;
} job;
static job j;

#define BODY(suffix, type)                                                                         \
  static void body_##suffix(type i, void *argument) {                                              \
    int64_t *mine = argument;                                                                      \
    j.hits[i]++;                                                                                   \
    j.team_of[i] = omp_get_team_num();                                                             \
    *mine += (int64_t)i;                                                                           \
  }
TYPES(BODY)

static int32_t lock[8];
static void combine(void *left, void *right) {
  **(int64_t **)left += **(int64_t **)right;
}

/* Calls the runtime as flang does for a reduction. */
static void reduce(int64_t mine) {
  void *list[] = {&mine};
  int32_t gtid = __kmpc_global_thread_num(&where);
  if (__kmpc_reduce(&where, gtid, 1, 8, list, combine, lock) == 1) {
    j.sum += mine;
    __kmpc_end_reduce(&where, gtid, lock);
  }
  __kmpc_barrier(&where, gtid);
}

enum { FOR, DISTRIBUTE, DISTRIBUTE_FOR, FORMS };

#define RUN(suffix, type)                                                                          \
  static void run_##suffix(int64_t *mine) {                                                        \
    type n = (type)j.count, c = (type)j.chunk, t = (type)j.team_chunk;                             \
    if (j.form == FOR)                                                                             \
      __kmpc_for_static_loop_##suffix(&where, body_##suffix, mine, n, 0, c, 0);                    \
    else if (j.form == DISTRIBUTE)                                                                 \
      __kmpc_distribute_static_loop_##suffix(&where, body_##suffix, mine, n, t, 0);                \
    else                                                                                           \
      __kmpc_distribute_for_static_loop_##suffix(&where, body_##suffix, mine, n, 0, t, c, 0);      \
  }
TYPES(RUN)
static void (*const runs[])(int64_t *) = {run_4, run_4u, run_8, run_8u};

static void parallel(int32_t *gtid, int32_t *tid, void *argument) {
  (void)gtid, (void)tid, (void)argument;
  int64_t mine = 0;
  runs[j.kind](&mine);
  reduce(mine);
}

static void kernel(environment *env, void *argument) {
  if (__kmpc_target_init(env, NULL) != -1) return;
  __atomic_fetch_add(&j.once, 1, __ATOMIC_RELAXED);
  if (omp_get_team_num() == 0) j.teams = omp_get_num_teams();
  void **shared = __kmpc_alloc_shared(8);
  *shared = argument;
  if (j.form == DISTRIBUTE) {
    int64_t mine = 0;
    runs[j.kind](&mine);
    reduce(mine);
  } else if (j.kind % 2) {
    __kmpc_parallel_60(&where, 0, 1, -1, -1, (void *)(uintptr_t)parallel, NULL, shared, 1, 0);
  } else {
    __kmpc_parallel_51(&where, 0, 1, -1, -1, (void *)(uintptr_t)parallel, NULL, shared, 1);
  }
  __kmpc_free_shared(shared, 8);
  __kmpc_target_deinit();
}

static void enter(const solo_target_call *call) {
  kernel((environment *)(uintptr_t)((const uint64_t *)call->launch->arguments)[0], NULL);
}

static void launch(int teams, int thread_limit, environment env) {
  solo_target_frame frame;
  uint64_t arguments[] = {(uintptr_t)&env};
  const solo_launch_record record = {.teams = {(uint32_t)teams, 1, 1},
                                     .threads = {(uint32_t)thread_limit, 1, 1},
                                     .argument_bytes = sizeof arguments,
                                     .arguments = arguments,
                                     .trip_count = (uint64_t)j.count};
  const solo_target_call call = {enter, NULL, &record};
  memset(j.hits, 0, sizeof j.hits);
  memset(j.team_of, -1, sizeof j.team_of);
  j.once = 0;
  j.sum = 1;
  solo_host_threads.enter_target(&frame, 0, &call);
  enter(&call);
  solo_host_threads.leave_target(&frame);
}

/* Checks that each iteration ran once, in the team of its chunk. */
static void check(int teams) {
  int64_t want = 1;
  CHECK_INT(j.once, teams);
  CHECK_INT(j.teams, teams);
  for (int64_t i = 0; i < MOST; i++) CHECK_INT(j.hits[i], i < j.count);
  for (int64_t i = 0; i < j.count; i++) {
    want += i;
    if (j.team_chunk) CHECK_INT(j.team_of[i], i / j.team_chunk % teams);
    if (i && !j.team_chunk) CHECK(j.team_of[i] >= j.team_of[i - 1]);
  }
  CHECK_INT(j.sum, want);
}

static void loops(void) {
  static const int64_t counts[] = {0, 1, 2, 7, 1000, MOST}, chunks[] = {0, 1, 13, 4999};
  for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
    for (size_t c = 0; c < sizeof chunks / sizeof *chunks; c++)
      for (j.form = 0; j.form < FORMS; j.form++) {
        int teams = j.form == FOR ? 1 : 1 + (int)((n + c) % 5);
        j.kind = (int)(n + c) % 4;
        j.count = counts[n];
        j.chunk = chunks[c];
        j.team_chunk = j.form == FOR ? 0 : chunks[(n + c) % 4];
        launch(teams, 0, (environment){.mode = j.form == DISTRIBUTE ? 1 : 2});
        check(teams);
      }
}

int main(void) {
  int procs = omp_get_num_procs(), threads = omp_get_max_threads();
  int budget = threads < procs ? threads : procs;
  for (int i = 0; i < 3; i++) loops();
  j = (job){.count = 1000, .form = DISTRIBUTE};
  launch(0, 0, (environment){.mode = 1});
  check(budget);
  j = (job){.count = 1, .form = DISTRIBUTE};
  launch(0, 0, (environment){.mode = 1});
  check(1);
  j = (job){.count = 1000, .form = DISTRIBUTE_FOR};
  launch(0, 0, (environment){.mode = 2});
  check(1);
  omp_set_num_teams(6);
  launch(0, 0, (environment){.mode = 2});
  check(6);
  /* The kernel's environment limits the threads per team. */
  launch(3, 0, (environment){.mode = 2, .most_threads = 1});
  check(3);
  launch(500, 2, (environment){.mode = 2});
  check(500);
  return TEST_RESULT();
}
