// Description: C++ virtual calls on the device through objects made on the host (vtables).
// Only: clang-22 (19 crashes on it). Options: -fopenmp-version=52 -Wno-openmp-mapping
#include "check.h"
#include <omp.h>

#pragma omp begin declare target indirect
struct shape {
  virtual ~shape() {}
  virtual int area() const {
    return 0;
  }
  virtual int sides() const {
    return 0;
  }
};
struct square : shape {
  int a;
  explicit square(int side) : a(side) {}
  int area() const override {
    return a * a + 1000 * !omp_is_initial_device();
  }
  int sides() const override {
    return 4;
  }
};
#pragma omp end declare target

#pragma omp begin declare target
extern "C" void *__llvm_omp_indirect_call_lookup(void *host);
#pragma omp end declare target

int main() {
  square s(5);
  shape *p = &s;
  int area = 0, sides = 0;
#pragma omp target map(to : s) map(from : area, sides)
  {
    // what a compiler would emit: the object's table pointer is the host's
    void **table = *(void ***)(void *)&s;
    void **mine = (void **)__llvm_omp_indirect_call_lookup((void *)table);
    auto call_area = (int (*)(const void *))mine[2];
    auto call_sides = (int (*)(const void *))mine[3];
    area = call_area(&s);
    sides = call_sides(&s);
  }
  CHECK(area, 1025);
  CHECK(sides, 4);
  CHECK(p->area(), 25);
  return result();
}
