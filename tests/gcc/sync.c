/* Synchronization, threadprivate, teams, allocate and scope. */
#include "tests/gcc/check.h"

#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROUNDS = 200 };

static void singles(void) {
  int executed = 0, wrong = 0;
#pragma omp parallel
  for (int i = 0; i < ROUNDS; i++) {
#pragma omp single nowait
    {
#pragma omp atomic
      executed++;
    }
    int value = -1;
#pragma omp single copyprivate(value)
    value = i;
    if (value != i) {
#pragma omp atomic
      wrong++;
    }
#pragma omp single
    executed++;
  }
  CHECK(executed == 2 * ROUNDS && !wrong);
}

static void barriers(void) {
  enum { MOST = 64 };
  static int phase[MOST];
  int wrong = 0;
#pragma omp parallel reduction(+ : wrong)
  for (int i = 0; i < ROUNDS; i++) {
    phase[omp_get_thread_num()] = i;
#pragma omp barrier
    for (int t = 0; t < omp_get_num_threads(); t++) wrong += phase[t] != i;
#pragma omp barrier
  }
  CHECK(!wrong);
}

static void locks(void) {
  int plain = 0, named = 0, threads = omp_get_max_threads();
  long double slow = 0; /* a type without atomic instructions */
  struct {
    int a, b;
  } pair = {0, 0};
#pragma omp parallel
  for (int i = 0; i < ROUNDS; i++) {
#pragma omp critical
    {
      int before = *(volatile int *)&plain;
      for (volatile int delay = 0; delay < 300; delay++) {
      }
      *(volatile int *)&plain = before + 1;
    }
#pragma omp critical(first)
    {
      int before = named;
      if (i % 50 == 0) usleep(1);
      named = before + 1;
#pragma omp critical(second)
      pair.a = ++pair.b;
    }
#pragma omp atomic
    slow += 1;
  }
  CHECK(plain == threads * ROUNDS && named == threads * ROUNDS && slow == threads * ROUNDS);
  CHECK(pair.a == threads * ROUNDS);
}

static int counter;
#pragma omp threadprivate(counter)

static void threadprivates(void) {
  int sum = 0, copied = 0;
  counter = 7;
#pragma omp parallel copyin(counter) reduction(+ : copied)
  {
    copied += counter == 7;
    counter = omp_get_thread_num();
  }
  CHECK(copied == omp_get_max_threads());
#pragma omp parallel reduction(+ : sum)
  sum += counter == omp_get_thread_num();
  CHECK(sum == omp_get_max_threads());
}

static void masked_regions(void) {
  int n = 0, m = 0;
#pragma omp parallel
  {
#pragma omp master
    n++;
#pragma omp masked filter(0)
    m++;
  }
  CHECK(n == 1 && m == 1);
}

static void teams_regions(void) {
  int teams = 0, numbers = 0, count = 0;
  int seen[1000] = {0};
#pragma omp teams num_teams(3) thread_limit(2) reduction(+ : teams, numbers)
  {
    teams += omp_get_num_teams() == 3;
    numbers += omp_get_team_num();
  }
  CHECK(teams == 3 && numbers == 3);
#pragma omp teams distribute parallel for num_teams(4) reduction(+ : count)
  for (int i = 0; i < 1000; i++) {
    count++;
    seen[i]++;
  }
  int wrong = 0;
  for (int i = 0; i < 1000; i++) wrong += seen[i] != 1;
  CHECK(count == 1000 && !wrong);
}

static void allocates(void) {
  int aligned = 0, threads = omp_get_max_threads();
  omp_alloctrait_t trait = {omp_atk_alignment, 128};
  omp_allocator_handle_t allocator = omp_init_allocator(omp_default_mem_space, 1, &trait);
  int x[10] = {0};
#pragma omp parallel allocate(allocator : x) private(x) reduction(+ : aligned)
  {
    for (int i = 0; i < 10; i++) x[i] = i;
    aligned += (size_t)x % 128 == 0 && x[9] == 9;
  }
  CHECK(aligned == threads);
  omp_destroy_allocator(allocator);
}

static void scopes(void) {
  int sum = 0, tasks = 0;
#pragma omp parallel
  {
#pragma omp scope reduction(+ : sum)
    sum += 1;
#pragma omp scope reduction(task, + : tasks)
    {
#pragma omp task in_reduction(+ : tasks)
      tasks += 2;
    }
#pragma omp barrier
  }
  CHECK(sum == omp_get_max_threads() && tasks == 2 * omp_get_max_threads());
}

static void errors(void) {
  int given = 0;
  if (getenv("SOLO_TEST_ERROR_DIRECTIVE")) given = 1;
  if (given) {
#pragma omp error at(execution) severity(warning) message("a warning of the test")
  }
}

int gcc_test(void) {
  singles();
  barriers();
  locks();
  threadprivates();
  masked_regions();
  teams_regions();
  allocates();
  scopes();
  errors();
  return failures;
}
