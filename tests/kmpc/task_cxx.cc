/* Description: checks tasks in C++: each firstprivate object that is constructed is destroyed,
 * exceptions inside a task, reductions of objects.
 * Env: OMP_CANCELLATION=true */
#include "tests/unit/test.h"
#include <atomic>
#include <omp.h>
#include <stdexcept>
#include <string>
#include <vector>

static std::atomic<long> alive, copies;

struct counted {
  std::string text;
  int value;
  counted(int v) : text(100, 'x'), value(v) {
    alive++;
  }
  counted(const counted &other) : text(other.text), value(other.value) {
    alive++;
    copies++;
  }
  ~counted() {
    alive--;
    value = -1000000;
  }
};

struct total {
  long sum = 0;
  std::vector<int> seen;
};
#pragma omp declare reduction(                                                                     \
    merge:total                                                                                    \
    : (omp_out.sum += omp_in.sum,                                                                  \
       omp_out.seen.insert(omp_out.seen.end(), omp_in.seen.begin(), omp_in.seen.end())))

static long tree(int depth, counted object) {
  if (depth == 0) return object.value;
  long left = 0, right = 0;
#pragma omp task shared(left) firstprivate(object)
  left = tree(depth - 1, object);
#pragma omp task shared(right) firstprivate(object)
  right = tree(depth - 1, object);
#pragma omp taskwait
  return left + right;
}

int main() {
  long result = 0, looped = 0, caught = 0, begun = 0;
#pragma omp parallel
#pragma omp single
  {
    counted one(1);
    result = tree(8, one);
  }
  CHECK_INT(result, 256);
  CHECK_INT(alive, 0);
  CHECK(copies > 500);
#pragma omp parallel
#pragma omp single
  {
    counted three(3);
#pragma omp taskloop firstprivate(three) grainsize(7) shared(looped)
    for (int i = 0; i < 1000; i++) {
#pragma omp atomic
      looped += three.value;
    }
#pragma omp taskloop firstprivate(three) shared(looped)
    for (int i = 0; i < (int)(looped - looped); i++) looped = -1;
  }
  CHECK_INT(looped, 3000);
  CHECK_INT(alive, 0);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; i++) {
#pragma omp task shared(caught)
    try {
      if (i % 2) throw std::runtime_error("odd");
    } catch (const std::runtime_error &) {
#pragma omp atomic
      caught++;
    }
  }
  CHECK_INT(caught, 50);
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  {
    counted five(5);
    for (int i = 0; i < 200; i++) {
#pragma omp task firstprivate(five) shared(begun)
      {
#pragma omp atomic
        begun += five.value == 5;
#pragma omp cancel taskgroup
      }
    }
  }
  CHECK(begun >= 1);
  CHECK_INT(alive, 0); /* the firstprivate objects of cancelled tasks must be destroyed, too */
  total t;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(merge : t)
  for (int i = 0; i < 300; i++) {
#pragma omp task in_reduction(merge : t)
    {
      t.sum += i;
      t.seen.push_back(i);
    }
  }
  CHECK_INT(t.sum, 299 * 300 / 2);
  CHECK_INT(t.seen.size(), 300);
  return TEST_RESULT();
}
