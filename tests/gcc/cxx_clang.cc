/* Compiled by Clang: the main program of cxx_gcc.cc. Returns 1 if a check fails. */
#include <atomic>
#include <cstdio>
#include <omp.h>
#include <stdexcept>

void gcc_throw(int n);
int gcc_region_catches(int n);
int gcc_cancelled_objects();

void clang_throw(int n) {
  if (n == 0) throw std::runtime_error("clang");
  gcc_throw(n - 1);
}

int clang_region_catches(int n) {
  std::atomic<int> caught{0};
#pragma omp parallel num_threads(2)
  {
    try {
      gcc_throw(n);
    } catch (const std::runtime_error &) {
      caught++;
    }
#pragma omp barrier
#pragma omp single
    {
#pragma omp task shared(caught)
      try {
        gcc_throw(n);
      } catch (const std::exception &) {
        caught++;
      }
    }
  }
  return caught;
}

int main() {
  int wrong = 0;
  omp_set_max_active_levels(2);
  for (int n = 0; n < 6; n++) {
    int threads = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    threads = omp_get_num_threads();
    int clang = clang_region_catches(n), gcc = gcc_region_catches(n);
    int expected_gcc = 12 + 5 + 5 * 3;
    if (threads == 2 && (clang != 3 || gcc != expected_gcc)) {
      std::printf("failed: %d: %d and %d exceptions caught, expected 3 and %d\n", n, clang, gcc,
                  expected_gcc);
      wrong++;
    }
  }
  for (int round = 0; round < 20; round++) {
    int alive = gcc_cancelled_objects();
    if (alive) std::printf("failed: %d objects of cancelled tasks exist\n", alive), wrong++;
  }
  return wrong != 0;
}
