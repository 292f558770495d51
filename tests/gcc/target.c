/* Compiled by GCC: target constructs, which the host executes. */
#include "tests/gcc/check.h"

#include <omp.h>
#include <stdint.h>

enum { N = 100 };
#pragma omp declare target
static int table[N];
#pragma omp end declare target

typedef struct big {
  char text[200];
  double value;
} big;

static void regions(void) {
  int a[N], sum = 0, t = 5, level = -1;
  big b = {.value = 2};
  double d = 1.5;
  for (int i = 0; i < N; i++) a[i] = i;
  CHECK(omp_get_num_devices() == 0 && omp_get_initial_device() == 0);
#pragma omp target map(tofrom : a [0:N], sum) firstprivate(t, d, b) map(from : level)
  {
    t++, d++, b.value++;
    for (int i = 0; i < N; i++) a[i] += t;
    sum = (int)(d + b.value) + !omp_is_initial_device();
    level = omp_get_level();
  }
  CHECK(a[3] == 9 && sum == 5 && t == 5 && d == 1.5 && b.value == 2 && level == 0);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp target map(from : level)
    level = omp_get_level() * 10 + omp_get_num_threads();
  }
  CHECK(level == 1);
}

static void nested_parallelism(void) {
  int count = 0, limited = 0;
  long sum = 0;
#pragma omp target teams distribute parallel for map(tofrom : sum) reduction(+ : sum)
  for (int i = 0; i < 1000; i++) sum += i;
  CHECK(sum == 499500);
#pragma omp target map(tofrom : count)
#pragma omp parallel num_threads(3)
  {
#pragma omp atomic
    count++;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < N; i++) {
#pragma omp atomic
      count++;
    }
  }
  CHECK(count == N + 3);
#pragma omp target thread_limit(2) map(tofrom : limited)
#pragma omp parallel num_threads(4)
#pragma omp single
  limited = omp_get_num_threads();
  CHECK(limited >= 1 && limited <= 2);
}

static void teams(void) {
  int teams = 0, numbers = 0, n = 4;
#pragma omp target teams num_teams(3) map(tofrom : teams, numbers) reduction(+ : teams, numbers)
  {
    teams += omp_get_num_teams();
    numbers += 1 << omp_get_team_num();
  }
  CHECK(teams == 9 && numbers == 7);
  numbers = 0;
#pragma omp target teams num_teams(n) thread_limit(n) map(tofrom : numbers)
#pragma omp parallel num_threads(2)
  {
#pragma omp atomic
    numbers++;
  }
  CHECK(numbers >= 4 && numbers <= 8);
}

static void data(void) {
  int a[N] = {0}, *pointer = NULL, x = 0, order = 0;
#pragma omp target data map(tofrom : a) use_device_addr(a)
  {
    pointer = a;
#pragma omp target is_device_ptr(pointer)
    pointer[1] = 4;
#pragma omp target update from(a)
  }
  CHECK(a[1] == 4);
#pragma omp target enter data map(to : a, x)
#pragma omp target map(tofrom : a, x)
  a[2]++, x++;
#pragma omp target exit data map(from : a, x)
  CHECK(a[2] == 1 && x == 1);
#pragma omp target
  table[3] = 8;
#pragma omp target update from(table)
  CHECK(table[3] == 8);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x) shared(order)
    order = 1;
#pragma omp target nowait depend(inout : x) map(tofrom : order)
    order = order * 10 + 2;
#pragma omp target update to(a) depend(inout : x) nowait
#pragma omp target exit data map(release : a) depend(inout : x) nowait
#pragma omp task depend(in : x) shared(order)
    order = order * 10 + 3;
  }
  CHECK(order == 123);
  void *block = omp_target_alloc(64, omp_get_default_device());
  CHECK(block != NULL);
  omp_target_free(block, omp_get_default_device());
}

int gcc_test(void) {
  regions();
  nested_parallelism();
  teams();
  data();
  return failures;
}
