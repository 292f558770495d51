/* Compiled by GCC: exceptions that pass frames of both compilers inside regions (cxx_clang.cc), and the life of firstprivate
 * objects of cancelled tasks. */
#include <atomic>
#include <omp.h>
#include <stdexcept>

void clang_throw(int n);
int clang_region_catches(int n);

void gcc_throw(int n) {
#pragma omp critical(exceptions)
  if (n < 0) throw std::logic_error("never");
  if (n == 0) throw std::runtime_error("gcc");
  clang_throw(n - 1);
}

/* Each thread and each task of GCC catches an exception that a function of Clang threw. */
int gcc_region_catches(int n) {
  std::atomic<int> caught{0};
#pragma omp parallel num_threads(3)
  {
#pragma omp for schedule(dynamic, 1) nowait
    for (int i = 0; i < 12; i++) try {
        clang_throw(n);
      } catch (const std::runtime_error &) {
        caught++;
      }
#pragma omp single
    for (int i = 0; i < 5; i++) {
#pragma omp task shared(caught)
      try {
        if (omp_get_level() == 1) caught += clang_region_catches(n);
        clang_throw(n);
      } catch (const std::exception &) {
        caught++;
      }
    }
  }
  return caught;
}

static std::atomic<int> alive{0}, made{0};
struct object {
  object() {
    alive++, made++;
  }
  object(const object &) {
    alive++, made++;
  }
  ~object() {
    alive--;
  }
};

/* Returns the number of objects that still exist, which must be 0. */
int gcc_cancelled_objects() {
  {
    object o;
#pragma omp parallel num_threads(3) firstprivate(o)
    {
#pragma omp single
#pragma omp taskgroup
      for (int i = 0; i < 100; i++) {
#pragma omp task firstprivate(o)
        {
#pragma omp cancel taskgroup if (i > 3)
        }
      }
    }
  }
  return made > 3 ? alive.load() : -1;
}
