/* Description: schedules, collapsed loops, nested regions, sections, single, barriers, atomics and
 * team data. */
#include <stdio.h>

static int wrong;
#define SAME(is, should)                                                                           \
  do {                                                                                             \
    long is_ = (long)(is), should_ = (long)(should);                                               \
    if (is_ != should_) printf("wrong: line %d: %ld, not %ld\n", __LINE__, is_, should_), wrong++; \
  } while (0)

enum { N = 1000 };
#pragma omp begin declare target
int omp_get_thread_num(void);
int omp_get_num_threads(void);
int omp_get_team_num(void);
int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
#pragma omp end declare target

static int x[N];

static long sum_of_x(void) {
  long sum = 0;
  for (int i = 0; i < N; i++) sum += x[i];
  return sum;
}

static void schedules(void) {
#define LOOP(schedule_)                                                                            \
  for (int i = 0; i < N; i++) x[i] = 0;                                                            \
  _Pragma(schedule_) for (int i = 0; i < N; i++) x[i] += i;                                        \
  SAME(sum_of_x(), 499500)
  LOOP("omp target teams distribute parallel for schedule(static, 1) map(tofrom : x)");
  LOOP("omp target teams distribute parallel for schedule(static, 7) map(tofrom : x)");
  LOOP("omp target parallel for schedule(dynamic) map(tofrom : x)");
  LOOP("omp target parallel for schedule(dynamic, 13) map(tofrom : x)");
  LOOP("omp target parallel for schedule(guided) map(tofrom : x)");
  LOOP("omp target teams distribute dist_schedule(static, 10) map(tofrom : x)");
}

static void shapes(void) {
  int cell[10][20] = {{0}};
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : cell)
  for (int i = 0; i < 10; i++)
    for (int k = 0; k < 20; k++) cell[i][k] = i * 20 + k;
  for (int i = 0; i < 200; i++) SAME(cell[i / 20][i % 20], i);
  int inner = 0, outer = 0;
#pragma omp target map(tofrom : inner, outer)
#pragma omp parallel num_threads(32)
  {
#pragma omp atomic
    outer++;
#pragma omp parallel num_threads(4) /* nested regions have one thread */
    {
#pragma omp atomic
      inner++;
    }
  }
  SAME(outer, 32);
  SAME(inner, 32);
  int order[64] = {0}, bad = 64;
#pragma omp target map(tofrom : order, bad)
  {
    int mine[64];
#pragma omp parallel num_threads(64)
    {
      /* not omp_get_num_threads(), which Clang 19 folds to 1 for gfx */
      int t = omp_get_thread_num();
      mine[t] = t;
#pragma omp atomic
      bad--;
#pragma omp barrier
      order[t] = mine[(t + 1) % 64];
    }
  }
  SAME(bad, 0);
  for (int i = 0; i < 64; i++) SAME(order[i], (i + 1) % 64);
}

static void data(void) {
  int sum = 0, old[4] = {0}, most = 0;
#pragma omp target map(tofrom : sum)
  for (int i = 0; i < 8; i++) sum += table[i], table[i] *= 2;
  SAME(sum, 36);
#pragma omp target update from(table)
  SAME(table[7], 16);
#pragma omp target teams distribute parallel for map(tofrom : old, most)
  for (int i = 0; i < 100; i++) {
    int before;
#pragma omp atomic capture
    before = old[i % 4]++;
#pragma omp atomic compare
    if (before > most) most = before;
  }
  SAME(old[0] + old[1] + old[2] + old[3], 100);
  SAME(most, 24);
  int team[8] = {0};
#pragma omp target teams num_teams(8) thread_limit(32) map(tofrom : team)
  {
    int shared = 0;
#pragma omp parallel
    {
#pragma omp atomic
      shared += 1;
    }
    team[omp_get_team_num()] = shared;
  }
  for (int i = 0; i < 8; i++) SAME(team[i] > 0, 1);
  int f[16];
#pragma omp target teams distribute parallel for map(from : f)
  for (int i = 0; i < 16; i++) f[i] = fibonacci(i);
  SAME(f[15], 610);
}

int main(void) {
  schedules();
  shapes();
  data();
  return wrong != 0;
}
