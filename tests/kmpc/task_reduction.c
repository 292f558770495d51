/* Description: checks task_reduction, in_reduction and reduction(task, ...). */
#include "tests/kmpc/task_test.h"
#include <sys/wait.h>
#include <unistd.h>

typedef struct pair {
  double sum;
  long count;
} pair;
#pragma omp declare reduction(add:pair                                                             \
                              : omp_out.sum += omp_in.sum, omp_out.count += omp_in.count)          \
    initializer(omp_priv = {0, 0})
#pragma omp declare reduction(scaled:int : omp_out += omp_in) initializer(omp_priv = omp_orig * 0)

static void sums(void) {
  long sum = 100;
  double product = 1;
  int bits = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(* : product) task_reduction(| : bits)
    for (int i = 0; i < 200; i++) {
#pragma omp task in_reduction(+ : sum) in_reduction(* : product) in_reduction(| : bits)
      {
        if (i % 20 == 0) spend_time();
        sum += i;
        if (i < 10) product *= 2;
        bits |= 1 << i % 20;
      }
    }
    CHECK_INT(sum, 100 + 199 * 200 / 2);
    CHECK_INT(product, 1024);
    CHECK_INT(bits, (1 << 20) - 1);
  }
}

static void user_defined(void) {
  pair total = {0.5, 1};
  int values[100], scaled = 3;
  memset(values, 0, sizeof values);
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup task_reduction(add : total) task_reduction(+ : values)                           \
    task_reduction(scaled : scaled)
    for (int i = 0; i < 100; i++) {
#pragma omp task in_reduction(add : total) in_reduction(+ : values) in_reduction(scaled : scaled)
      {
        total.sum += i;
        total.count++;
        values[i] += i;
        values[0] += 1;
        scaled += 2;
        if (i % 10 == 0) spend_time();
      }
    }
  }
  int wrong = values[0] != 100;
  for (int i = 1; i < 100; i++) wrong += values[i] != i;
  CHECK_INT(wrong, 0);
  CHECK(total.sum == 0.5 + 4950);
  CHECK_INT(total.count, 101);
  CHECK_INT(scaled, 203);
}

static void nested(void) {
  long outer = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : outer)
    for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : outer)
      {
        long inner = 0;
#pragma omp taskgroup task_reduction(+ : inner)
        for (int k = 0; k < 10; k++) {
#pragma omp task in_reduction(+ : inner) in_reduction(+ : outer)
          {
            inner += k;
            outer += 1;
          }
        }
        outer += inner;
      }
    }
  }
  CHECK_INT(outer, 10 * 45 + 100);
}

static void of_regions(void) {
  int threads = atoi(getenv("OMP_NUM_THREADS"));
  long sum = 5, looped = 0;
#pragma omp parallel reduction(task, + : sum)
  {
    sum += 1000;
    for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : sum)
      {
        if (i == 0) spend_time();
        sum += 1;
      }
    }
  }
  CHECK_INT(sum, 5 + 1020 * threads);
#pragma omp parallel
  for (int round = 0; round < 5; round++) {
#pragma omp for reduction(task, + : looped)
    for (int i = 0; i < 100; i++) {
      looped += 1;
#pragma omp task in_reduction(+ : looped)
      looped += i;
    }
  }
  CHECK_INT(looped, 5 * (100 + 4950));
}

/* A serialized region inside a task can use the task's private copy. A region with several threads
 * has no defined copy: the runtime must report an error and must not use the memory of another
 * thread. */
static void regions_inside(int inner) {
  int sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
  for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : sum)
    {
      sum += 1;
#pragma omp parallel num_threads(inner)
#pragma omp task in_reduction(+ : sum)
      sum += 10;
    }
  }
  CHECK_INT(sum, 220);
}

static void region_of_several_inside(void) {
  int ends[2], status = 0;
  char said[1024] = "";
  CHECK(pipe(ends) == 0);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    omp_set_max_active_levels(2);
    regions_inside(3);
    _exit(0);
  }
  close(ends[1]);
  CHECK(read(ends[0], said, sizeof said - 1) > 0);
  close(ends[0]);
  waitpid(child, &status, 0);
  CHECK(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
  CHECK(strstr(said, "in_reduction") && strstr(said, "another team"));
}

int main(void) {
  /* must run first, because the test forks a child and the process must then have one thread */
  region_of_several_inside();
  regions_inside(1);
  sums();
  user_defined();
  nested();
  of_regions();
  return TEST_RESULT();
}
