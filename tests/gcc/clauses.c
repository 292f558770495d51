/* Effects of clauses that a correct sum does not show, such as alignment, priorities and guided
 * chunks. */
#include "tests/gcc/check.h"

#include <omp.h>
#include <stdint.h>

static void pause_a_little(void) {
  for (volatile int i = 0; i < 200000; i++) {
  }
}

/* Hides the alignment from the compiler. */
static uintptr_t address_of(const void *object) {
  uintptr_t address = (uintptr_t)object;
  __asm__ volatile("" : "+r"(address));
  return address;
}

typedef struct aligned {
  _Alignas(128) int value;
} aligned;

static void alignment(void) {
  aligned a = {7};
  int misaligned = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(a) shared(misaligned)
    {
#pragma omp atomic
      misaligned += address_of(&a) % 128 != 0 || a.value != 7;
    }
  }
  CHECK(!misaligned);
}

/* One thread executes the tasks. The other thread waits outside of them. */
static void priorities(void) {
  enum { TASKS = 20 };
  int order[TASKS], next = 0, done = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    for (int i = 0; i < TASKS; i++) {
#pragma omp task priority(i) shared(order, next)
      order[next++] = i;
    }
#pragma omp taskwait
#pragma omp atomic write
    done = 1;
  } else {
    for (int is_done = 0; !is_done;) {
#pragma omp atomic read
      is_done = done;
    }
  }
  int wrong = 0;
  for (int i = 0; i < TASKS; i++) wrong += order[i] != TASKS - 1 - i;
  CHECK(next == TASKS && !wrong);
}

/* Counts the tasks. Each task has its own copy of `mine`. */
#define COUNT_TASKS(clause, least, most)                                                           \
  do {                                                                                             \
    int tasks = 0, mine = 0, sum = 0;                                                              \
    _Pragma("omp parallel num_threads(2)") _Pragma("omp single") {                                 \
      PRAGMA(omp taskloop clause firstprivate(mine) shared(tasks, sum))                            \
      for (int i = 0; i < 100; i++) {                                                              \
        if (!mine++) _Pragma("omp atomic") tasks++;                                                \
        _Pragma("omp atomic") sum += i;                                                            \
        if (i == 99) pause_a_little();                                                             \
        if (i == 99) _Pragma("omp atomic") sum += 1000;                                            \
      }                                                                                            \
      int at_end;                                                                                  \
      _Pragma("omp atomic read") at_end = sum;                                                     \
      CHECK(at_end == 4950 + 1000); /* the taskloop waits for its tasks */                         \
    }                                                                                              \
    CHECK(tasks >= least && tasks <= most);                                                        \
  } while (0)
#define PRAGMA(text) _Pragma(#text)

static void taskloops(void) {
  COUNT_TASKS(grainsize(25), 3, 4);
  COUNT_TASKS(grainsize(strict : 30), 4, 4);
  COUNT_TASKS(num_tasks(5), 5, 5);
}

#pragma omp declare reduction(plus:int                                                             \
                              : omp_out += omp_in)                                                 \
    initializer(omp_priv = omp_orig == 5 ? 0 : 1000)

static void original_of_reduction(void) {
  int x = 5;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup task_reduction(plus : x)
  for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(plus : x)
    x += i;
  }
  CHECK(x == 50);
}

/* The first iteration waits until the other thread has begun more than half of the iterations. */
static void guided(void) {
  int begun = 0, x = 0;
#pragma omp parallel num_threads(2) shared(begun)
#pragma omp for reduction(task, + : x) schedule(guided)
  for (int i = 0; i < 100; i++) {
    int order, now = 0;
#pragma omp atomic capture
    order = begun++;
    while (order == 0 && now <= 51) {
#pragma omp atomic read
      now = begun;
    }
    x++;
  }
  CHECK(x == 100);
}

static void end_of_task_reduction(void) {
  int x = 0, wrong = 0;
#pragma omp parallel num_threads(3) shared(x)
  {
#pragma omp for reduction(task, + : x) schedule(static, 1)
    for (int i = 0; i < 3; i++) {
      if (i == 2) pause_a_little();
#pragma omp task in_reduction(+ : x)
      x += i + 1;
    }
#pragma omp atomic
    wrong += x != 6;
  }
  CHECK(!wrong);
}

static void if_of_cancel(void) {
  int executed = 0;
#pragma omp parallel num_threads(1)
#pragma omp for
  for (int i = 0; i < 100; i++) {
    executed++;
#pragma omp cancel for if (i == 60)
  }
  CHECK(executed == 61);
}

int gcc_test(void) {
  alignment();
  priorities();
  taskloops();
  original_of_reduction();
  guided();
  end_of_task_reduction();
  if_of_cancel();
  return failures;
}
