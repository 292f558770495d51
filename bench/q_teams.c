/* Parallel target regions with little work: fork and join of leagues and teams. */
#include "bench/bench.h"

enum { MOST = 100000 };
static float x[MOST], y[MOST];

static void enter(long count) {
#pragma omp target enter data map(to : x [0:count], y [0:count])
  (void)count;
}

static void leave(long count) {
#pragma omp target exit data map(delete : x [0:count], y [0:count])
  (void)count;
}

static void saxpy(long n, long count) {
  float a = 0.5f;
  for (long i = 0; i < n; i++) {
#pragma omp target teams distribute parallel for map(tofrom : y [0:count]) map(to : x [0:count])
    for (long j = 0; j < count; j++) y[j] += a * x[j];
    BENCH_KEEP(y);
  }
}

static void sum(long n, long count) {
  float total = 0;
  for (long i = 0; i < n; i++) {
#pragma omp target teams distribute parallel for reduction(+ : total) map(to : x [0:count])
    for (long j = 0; j < count; j++) total += x[j];
    BENCH_KEEP(total > 0);
  }
}

/* Exactly count teams, each with one call of a few ns. */
enum { CALLS = 10000 };
static int called[CALLS];

#pragma omp declare target
static __attribute__((noinline)) void call(int *counts, int team) {
  counts[team]++;
  BENCH_KEEP(counts);
}
#pragma omp end declare target

static void enter_calls(long count) {
  (void)count;
#pragma omp target enter data map(to : called)
}

static void leave_calls(long count) {
  (void)count;
#pragma omp target exit data map(from : called)
  for (int i = 1; i < CALLS; i++)
    if (called[i] != called[0]) exit(1);
}

static void calls(long n, long count) {
  for (long i = 0; i < n; i++) {
#ifdef _OPENMP
#pragma omp target teams num_teams(count)
    call(called, omp_get_team_num());
#else
    for (int team = 0; team < count; team++) call(called, team);
#endif
    BENCH_KEEP(called);
  }
}

/* One row per team, shared by its threads, as in GPU kernels. */
enum { WIDE = 96, ROWS = 1024 };

static void enter_rows(long count) {
  enter(count * WIDE);
}

static void leave_rows(long count) {
  leave(count * WIDE);
}

static void rows(long n, long count) {
  for (long i = 0; i < n; i++) {
#pragma omp target teams distribute num_teams(count) map(tofrom : y [0:count * WIDE])
    for (long r = 0; r < count; r++) {
#pragma omp parallel for num_threads(256)
      for (long j = r * WIDE; j < (r + 1) * WIDE; j++) y[j] += 0.5f;
    }
    BENCH_KEEP(y);
  }
}

/* One sum per team, shared by its threads: 16 additions per thread. */
enum { SUMS = 32768, PARTS = 4096 };

static void additions(long n, long count) {
  for (long i = 0; i < n; i++) {
#pragma omp target teams distribute num_teams(count) map(tofrom : y [0:count]) map(to : x [0:count])
    for (long r = 0; r < count; r++) {
      float total = 0;
#pragma omp parallel for num_threads(256) reduction(+ : total)
      for (long j = 0; j < PARTS; j++) total += x[j];
      y[r] = total;
    }
    BENCH_KEEP(y);
  }
}

/* Returns whether a league has the requested teams. Stock creates one per processor. */
static int is_exact(void) {
#ifdef _OPENMP
  int teams = 0;
#pragma omp target teams num_teams(CALLS) map(tofrom : teams)
  if (omp_get_team_num() == 0) teams = omp_get_num_teams();
  return teams == CALLS;
#else
  return 1;
#endif
}

static const bench_case call_cases[] = {
    {.name = "teams/calls_10000",
     .loop = calls,
     .argument = CALLS,
     .before = enter_calls,
     .after = leave_calls,
     .scale = 1.0 / CALLS},
};

static const bench_case cases[] = {
    {.name = "teams/1000", .loop = saxpy, .argument = 1000, .before = enter, .after = leave},
    {.name = "teams/reduce_1000", .loop = sum, .argument = 1000, .before = enter, .after = leave},
    {.name = "teams/100000", .loop = saxpy, .argument = MOST, .before = enter, .after = leave},
#if defined __clang__ || !defined _OPENMP /* GCC takes minutes */
    {.name = "teams/rows_1024",
     .loop = rows,
     .argument = ROWS,
     .before = enter_rows,
     .after = leave_rows},
    {.name = "teams/additions_32768",
     .loop = additions,
     .argument = SUMS,
     .before = enter,
     .after = leave,
     .when = BENCH_FULL_ONLY},
#endif
};

int main(int argc, char **argv) {
  if (is_exact()) bench_cases(argc, argv, call_cases, 1);
  return bench_cases(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
