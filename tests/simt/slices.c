/* Loops of `distribute parallel for` that the virtual GPU divides into slices: each iteration
 * executes once, lastprivate variables are right, and schedule and num_threads are obeyed. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 70000, TEAMS = 3 };

static int count[MOST], wrong;

static void check_once(const char *name, int n) {
  for (int i = 0; i < MOST; i++) {
    if (count[i] == (i < n)) continue;
    printf("%s, %d iterations: iteration %d executes %d times\n", name, n, i, count[i]);
    wrong = 1;
    break;
  }
  for (int i = 0; i < MOST; i++) count[i] = 0;
}

#define TEXT(...)   #__VA_ARGS__
#define PRAGMA(...) _Pragma(TEXT(__VA_ARGS__))
#define COUNT(type, n, clauses)                                                                    \
  PRAGMA(omp target teams distribute parallel for map(tofrom : count) clauses)                     \
  for (type i = 0; i < (type)(n); i++) {                                                           \
    PRAGMA(omp atomic) count[i]++;                                                                 \
  }                                                                                                \
  check_once("clauses: " #clauses, n)

static void requested(int n, int teams, int threads) {
  COUNT(unsigned long, n, num_teams(teams) thread_limit(threads));
}

static void few_threads(int n, int threads) {
  COUNT(int, n, num_threads(threads));
}

static void scheduled(int n) {
  COUNT(int, n, schedule(static, 4));
  COUNT(int, n, schedule(dynamic));
}

/* The loops of `distribute` and of `for` are different. */
static void apart(int n) {
#pragma omp target teams distribute num_teams(TEAMS) map(tofrom : count)
  for (int i = 0; i < n / 100; i++) {
#pragma omp parallel for schedule(static, 1)
    for (int k = 0; k < 100; k++) {
#pragma omp atomic
      count[i * 100 + k]++;
    }
  }
  check_once("distribute and for", n / 100 * 100);
}

static void reduced(int n) {
  long sum = 0, most = -1;
#pragma omp target teams distribute parallel for reduction(+ : sum) reduction(max : most) map(tofrom : sum, most)
  for (int i = 0; i < n; i++) {
    sum += i;
    if (i > most) most = i;
  }
  if (sum != (long)n * (n - 1) / 2 || most != n - 1) {
    printf("reduction, %d iterations: %ld, %ld\n", n, sum, most);
    wrong = 1;
  }
}

static void collapsed(int n, int m) {
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : count)
  for (int i = 0; i < n; i++)
    for (int k = 3; k < m + 3; k++) {
#pragma omp atomic
      count[i * m + k - 3]++;
    }
  check_once("collapse", n * m);
}

static void reversed(int n) {
#pragma omp target teams distribute parallel for map(tofrom : count)
  for (int i = n; i > 0; i -= 7) {
#pragma omp atomic
    count[(n - i) / 7]++;
  }
  check_once("reversed", (n + 6) / 7);
}

/* Skipped if SIMT_SEED selects LLVM 19's device runtime, which assigns no lastprivate variables. */
static void last(void) {
  int at = -1, n = TEAMS * 128;
#pragma omp target teams distribute parallel for num_teams(TEAMS) thread_limit(128)                \
    lastprivate(at) map(tofrom                                                                     \
                        : at)
  for (int i = 0; i < n; i++) at = i;
  if (at != n - 1) printf("lastprivate: %d\n", at), wrong = 1;
}

int main(void) {
  static const int sizes[] = {0, 1, 2, 31, 127, 128, 129, 1000, 2047, 2048, 2049, 5000, 65537};
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    int n = sizes[i];
    COUNT(int, n, );
    requested(n, TEAMS, 64);
    requested(n, 100, 128);
    reversed(n);
    if (n > 0) reduced(n);
    if (n > 5000) continue;
    few_threads(n, 32);
    scheduled(n);
    apart(n);
  }
  collapsed(13, 77);
  collapsed(250, 250);
  if (!getenv("SIMT_SEED")) last();
  return wrong;
}
