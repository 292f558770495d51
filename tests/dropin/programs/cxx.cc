// Templates, a virtual function and an exception in a kernel.
#include "unit.h"

template <typename T> struct accumulator {
  T total{};
  void add(T x) { total += x; }
};

struct shape {
  virtual int area(int s) const { return s; }
  virtual ~shape() = default;
};
struct square : shape {
  int area(int s) const override { return s * s; }
};

long cxx_sum(int count) {
  long result = 0;
#pragma omp target map(tofrom : result)
  {
    accumulator<long> a;
    square s;
    const shape *p = &s;
    for (int i = 0; i < count; i++) a.add(p->area(i));
    try {
      if (count > 10) throw 5;
    } catch (int e) {
      a.add(e);
    }
    static thread_local int per_thread = 2;
    per_thread++;
    result = a.total + per_thread;
  }
  return result;
}
