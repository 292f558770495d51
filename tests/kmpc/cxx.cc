// Description: checks C++: exceptions inside regions, objects as private and reduction variables,
// tasks with variables of class type, threadprivate objects and iterators.
#include "tests/unit/test.h"
#include <atomic>
#include <omp.h>
#include <stdexcept>
#include <string>
#include <vector>

struct counted {
  static std::atomic<int> live;
  int value;
  counted(int v = 0) : value(v) { live++; }
  counted(const counted &o) : value(o.value) { live++; }
  ~counted() { live--; }
  counted &operator+=(const counted &o) {
    value += o.value;
    return *this;
  }
};
std::atomic<int> counted::live;
#pragma omp declare reduction(+ : counted : omp_out += omp_in)

static counted per_thread(5);
#pragma omp threadprivate(per_thread)

int main() {
  int caught = 0;
#pragma omp parallel
  {
    try {
      if (omp_get_thread_num() % 2 == 0) throw std::runtime_error("even");
    } catch (const std::exception &) {
#pragma omp atomic
      caught++;
    }
  }
  int n = atoi(getenv("OMP_NUM_THREADS"));
  CHECK_INT(caught, (n + 1) / 2);
  {
    counted sum, copy(3);
    int wrong = 0;
#pragma omp parallel for reduction(+ : sum) firstprivate(copy)
    for (int i = 0; i < 100; i++) {
      sum += counted(i);
      if (copy.value != 3) {
#pragma omp atomic
        wrong++;
      }
    }
    CHECK_INT(sum.value, 4950);
    CHECK_INT(wrong, 0);
  }
  int bad = 0;
#pragma omp parallel
  {
    if (per_thread.value != 5 && omp_get_thread_num() != 0) {
#pragma omp atomic
      bad++;
    }
    per_thread.value = omp_get_thread_num();
  }
  CHECK_INT(bad, 0);
  std::vector<std::string> words(100);
#pragma omp parallel for schedule(dynamic)
  for (auto it = words.begin(); it < words.end(); ++it) *it = std::to_string(it - words.begin());
  for (int i = 0; i < 100; i++) CHECK(words[i] == std::to_string(i));
  return TEST_RESULT();
}
