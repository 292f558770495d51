/* Six kernels that show the cost of the virtual GPU (bench/simt.py). Prints "NAME ELAPSED
 * PROCESSOR" per kernel: the minima of both times over ROUNDS rounds, in milliseconds, with data
 * that is already mapped. Exit status 1: a result is wrong. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N = 1 << 20, ROUNDS = 15, TEAMS = 256, THREADS = 128, BINS = 64, STEPS = 64 };

static double *x, *y, tree[TEAMS], result;
static int bins[BINS], failed;

static void axpy(void) {
#pragma omp target teams distribute parallel for map(to : x[:N]) map(tofrom : y[:N])
  for (int i = 0; i < N; i++) y[i] += 2 * x[i];
}

static void sum(void) {
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : x[:N]) map(tofrom : s)
  for (int i = 0; i < N; i++) s += x[i];
  result = s;
}

/* Sums of THREADS elements per team. The asm statement prevents openmp-opt from converting the
 * kernel to SPMD mode. */
#define TREE(name, obstacle)                                                                       \
  static void name(void) {                                                                         \
    _Pragma("omp target teams num_teams(TEAMS) thread_limit(THREADS)") {                           \
      double part[THREADS];                                                                        \
      int team = omp_get_team_num();                                                               \
      obstacle;                                                                                    \
      _Pragma("omp parallel for") for (int i = 0; i < THREADS; i++) part[i] =                      \
          x[team * THREADS + i];                                                                   \
      for (int width = THREADS / 2; width; width /= 2) {                                           \
        _Pragma("omp parallel for firstprivate(width)") for (int i = 0; i < width; i++) part[i] += \
            part[i + width];                                                                       \
      }                                                                                            \
      tree[team] = part[0];                                                                        \
    }                                                                                              \
  }
TREE(generic_tree, __asm__ volatile("" : "+r"(team)))
TREE(spmd_tree, (void)0)

static void math(void) {
#pragma omp target teams distribute parallel for map(to : x[:N]) map(tofrom : y[:N])
  for (int i = 0; i < N; i++) y[i] = exp(-x[i]) + sin(x[i]) + log(1 + x[i]);
}

static void atomics(void) {
#pragma omp target teams distribute parallel for map(to : x[:N]) map(tofrom : bins)
  for (int i = 0; i < N; i++) {
#pragma omp atomic
    bins[i * 7 % BINS]++;
  }
}

static void arithmetic(void) {
#pragma omp target teams distribute parallel for map(to : x[:N]) map(tofrom : y[:N])
  for (int i = 0; i < N; i++) {
    double a = x[i];
    for (int k = 0; k < STEPS; k++) a = a * 0.5 + 1 / (a + 1);
    y[i] = a;
  }
}

static double now_ms(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void measure(const char *name, void (*kernel)(void)) {
  double least = 1e30, least_cpu = 1e30;
  for (int i = 0; i < ROUNDS; i++) {
    double from = now_ms(CLOCK_MONOTONIC), cpu = now_ms(CLOCK_PROCESS_CPUTIME_ID);
    kernel();
    double spent = now_ms(CLOCK_MONOTONIC) - from;
    cpu = now_ms(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    if (spent < least) least = spent;
    if (cpu < least_cpu) least_cpu = cpu;
  }
  printf("%s %.4f %.4f\n", name, least, least_cpu);
  fflush(stdout);
}

static void check(const char *name, double is, double should) {
  if (fabs(is - should) <= 1e-9 * fabs(should)) return;
  fprintf(stderr, "wrong: %s: %.17g, not %.17g\n", name, is, should);
  failed = 1;
}

int main(int count, char **words) {
  if (count > 1 && strcmp(words[1], "--start") == 0) {
#pragma omp target
    __asm__ volatile("");
    return 0;
  }
  x = malloc(N * sizeof *x);
  y = malloc(N * sizeof *y);
  if (!x || !y) return 1;
  double all = 0, first = 0;
  for (int i = 0; i < N; i++) {
    x[i] = 1 + i % 1000 / 1000.0;
    y[i] = 0;
    all += x[i];
    if (i < THREADS) first += x[i];
  }
#pragma omp target data map(to : x[:N]) map(tofrom : y[:N], tree, bins)
  {
    measure("axpy", axpy);
#pragma omp target update from(y[:N])
    check("axpy", y[N - 1], 2.0 * ROUNDS * x[N - 1]);
    measure("sum", sum);
    check("sum", result, all);
    measure("tree", generic_tree);
    measure("tree_spmd", spmd_tree);
    measure("math", math);
#pragma omp target update from(y[:N])
    check("math", y[77], exp(-x[77]) + sin(x[77]) + log(1 + x[77]));
    measure("atomics", atomics);
    measure("arithmetic", arithmetic);
  }
  check("tree", tree[0], first);
  check("atomics", bins[3], (double)ROUNDS * N / BINS);
  return failed;
}
