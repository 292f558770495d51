/* Tasks with all clauses, taskloop, taskgroup and dependences. */
#include "tests/gcc/check.h"

#include <omp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long ull;

static int fibonacci(int n) {
  int a, b;
  if (n < 2) return n;
#pragma omp task shared(a) if (n > 6) final(n < 10) mergeable
  a = fibonacci(n - 1);
#pragma omp task shared(b) untied
  b = fibonacci(n - 2);
#pragma omp taskwait
  return a + b;
}

static void recursion(void) {
  int result = 0;
#pragma omp parallel
#pragma omp single
  result = fibonacci(18);
  CHECK(result == 2584);
  CHECK(fibonacci(10) == 55);
}

typedef struct big {
  char text[300];
  _Alignas(64) int value;
} big;

static void private_data(void) {
  big b = {.text = "private", .value = 5};
  int sum = 0, n = 7, vla[n];
  for (int i = 0; i < n; i++) vla[i] = i;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(b, vla) shared(sum)
      {
        int right = (uintptr_t)&b % 64 == 0 && strcmp(b.text, "private") == 0 && b.value == 5;
        right += vla[6];
#pragma omp atomic
        sum += right;
      }
    }
    b.value = 0;
    vla[6] = 0;
  }
  CHECK(sum == 20 * 7);
}

static void final_tasks(void) {
  int in_final = 0, after = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task final(1) shared(in_final, after)
    {
      int done = 0;
      in_final = omp_in_final();
#pragma omp task shared(done)
      done = 1;
      after = done; /* an included task is complete when its construct ends */
    }
#pragma omp taskwait
#pragma omp task if (0) shared(after)
    after += 2;
  }
  CHECK(in_final && after == 3);
}

static void dependences(void) {
  int x = 0, wrong = 0, readers = 0, a[10] = {0};
  omp_depend_t object;
#pragma omp depobj(object) depend(inout : x)
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 50; i++) {
#pragma omp task depend(out : x) shared(x, wrong)
      {
        wrong += x != 3 * i;
        x++;
      }
#pragma omp task depend(depobj : object) shared(x, wrong)
      {
        wrong += x != 3 * i + 1;
        x++;
      }
#pragma omp task depend(mutexinoutset : x) shared(x)
      x++;
#pragma omp task depend(in : x) shared(x, wrong, readers)
      {
#pragma omp atomic
        wrong += x != 3 * (i + 1);
#pragma omp atomic
        readers++;
      }
    }
    int sum = 0;
    for (int i = 0; i < 30; i++) {
#pragma omp task depend(mutexinoutset : a[1], a[2]) shared(sum)
      sum++;
    }
#pragma omp task depend(in : a[1]) shared(sum, wrong)
    wrong += sum != 30;
#pragma omp taskwait depend(in : a[1])
    CHECK(sum == 30);
#pragma omp task depend(iterator(k = 0 : 10), out : a[k]) shared(a)
    for (int k = 0; k < 10; k++) a[k] = k + 1;
    for (int k = 0; k < 10; k++) {
#pragma omp task depend(in : a[k]) shared(a, wrong)
      {
#pragma omp atomic
        wrong += a[k] != k + 1;
      }
    }
#pragma omp task if (0) depend(in : x) shared(x, wrong)
    wrong += x != 150;
#pragma omp taskwait
  }
#pragma omp depobj(object) destroy
  CHECK(!wrong && x == 150 && readers == 50);
}

static void old_format(void) {
  int x = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 40; i++) {
#pragma omp task depend(inout : x) shared(x, wrong)
    wrong += x++ != 2 * i;
#pragma omp task depend(out : x) shared(x, wrong)
    wrong += x++ != 2 * i + 1;
  }
  CHECK(x == 80 && !wrong);
}

static void groups(void) {
  int done = 0, seen = 0, child_seen = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
      for (int i = 0; i < 10; i++) {
#pragma omp task shared(done)
        {
#pragma omp task shared(done)
          {
#pragma omp atomic
            done++;
          }
#pragma omp taskyield
        }
      }
    }
#pragma omp atomic read
    seen = done;
#pragma omp task shared(child_seen) priority(3)
    child_seen = 1;
#pragma omp taskwait
    CHECK(child_seen == 1);
  }
  CHECK(seen == 10);
}

static void detached(void) {
  omp_event_handle_t event;
  int before = 1, after = 0, value = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task detach(event) firstprivate(before) shared(after) depend(out : value)
    {
      after += before;
      value = 1;
    }
    omp_event_handle_t copy = event;
#pragma omp task depend(in : value) shared(after)
    after += 10;
#pragma omp task firstprivate(copy)
    { omp_fulfill_event(copy); }
#pragma omp taskwait
    CHECK(after == 11);
#pragma omp task detach(event) firstprivate(before) shared(after)
    {
      after += before;
      omp_fulfill_event(event); /* the task fulfils its event */
    }
  }
  CHECK(after == 12);
}

static int hit[1000];

static void loops(void) {
  int last = 0;
#define TASKLOOP(type, clauses, first, condition, step, count)                                     \
  do {                                                                                             \
    int n = 0;                                                                                     \
    memset(hit, 0, sizeof hit);                                                                    \
    _Pragma("omp parallel") _Pragma("omp single")                                                  \
        PRAGMA(omp taskloop clauses) for (type i = first; condition; i += step) {                  \
      _Pragma("omp atomic") hit[i]++;                                                              \
    }                                                                                              \
    for (type i = first; condition; i += step) n += hit[i] == 1;                                   \
    CHECK(n == count);                                                                             \
  } while (0)
#define PRAGMA(text) _Pragma(#text)
  TASKLOOP(int, , 0, i < 1000, 3, 334);
  TASKLOOP(int, grainsize(7), 999, i > 10, -9, 110);
  TASKLOOP(int, grainsize(strict : 10), 0, i < 995, 1, 995);
  TASKLOOP(long, num_tasks(5), 0, i < 1000, 1, 1000);
  TASKLOOP(ull, num_tasks(strict : 4), 1, i < 1000, 7, 143);
  TASKLOOP(ull, grainsize(3), 999, i > 10, -7, 142);
  TASKLOOP(int, if (0), 0, i < 100, 1, 100);
  TASKLOOP(int, nogroup, 0, i < 100, 1, 100);
  TASKLOOP(int, , 0, i < 0, 1, 0);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop lastprivate(last) collapse(2)
  for (int i = 0; i < 30; i++)
    for (int j = 0; j < 10; j++) last = i * 10 + j;
  CHECK(last == 299);
}

int gcc_test(void) {
  recursion();
  private_data();
  final_tasks();
  dependences();
  old_format();
  groups();
  detached();
  loops();
  return failures;
}
