// Description: checks C++ virtual calls on the device through host objects, member pointers and
// function pointers. Clang 22 emits virtual tables as entries; Clang 19 needs solo_indirect_class.
//   Options: -fopenmp-version=52 -Wno-openmp-mapping
#include "check.h"
#include <omp.h>
#include <solo_indirect.h>

#pragma omp begin declare target
inline int there() {
  return 1000 * !omp_is_initial_device();
}
#pragma omp end declare target

#if __clang_major__ >= 22
#pragma omp begin declare target indirect
#else
#pragma omp begin declare target
#endif
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
    return a * a + there();
  }
  int sides() const override {
    return 4 + there();
  }
};
struct triangle : shape {
  int b, h;
  triangle(int base, int height) : b(base), h(height) {}
  int area() const override {
    return b * h / 2 + there();
  }
  int sides() const override {
    return 3 + there();
  }
};
struct named {
  long id = 7;
  virtual long name(long x, double y) {
    return id + x + (long)y;
  }
};
struct both : shape, named {
  int c = 0;
  long name(long x, double y) override {
    c++;
    return id * 10 + x + (long)y + there();
  }
  int area() const override {
    return 77 + there();
  }
};
struct virtually : virtual named {
  long d = 3;
  long name(long x, double y) override {
    return d * 100 + x + (long)y + there();
  }
};
struct large {
  long words[8];
};
struct maker {
  virtual large make(long x) const {
    large l = {};
    l.words[7] = x + there();
    return l;
  }
};
#pragma omp end declare target

#pragma omp begin declare target indirect
struct scaled {
  int scale;
  int doubled(int x) const;
};
int scaled::doubled(int x) const {
  return 2 * x * scale + there();
}
int add(int x, int &y) {
  y += x + there();
  return y;
}
#pragma omp end declare target

static void tell_classes() {
#if __clang_major__ < 22
  CHECK_INT(solo_indirect_class(square(1)), 0);
  CHECK_INT(solo_indirect_class(triangle(1, 1)), 0);
  CHECK_INT(solo_indirect_class(both()), 0);
  CHECK_INT(solo_indirect_class(virtually()), 0);
  CHECK_INT(solo_indirect_class(maker()), 0);
#endif
}

static void all(int device, int on) {
  square s(5);
  triangle t(3, 4);
  both m;
  virtually v;
  maker k;
  int area = 0, sides = 0, other = 0, part = 0, plain = 0, added = 1, result_of_add = 0;
  long name = 0, base = 0, made = 0;
  scaled z = {1};
  int (scaled::*member)(int) const = &scaled::doubled;
  int (shape::*late)() const = &shape::area;
  int (*f)(int, int &) = add;
/* clang-format off */
#pragma omp target device(device) map(to : s, t, z, member, late, f) map(tofrom : added) \
    map(from : area, sides, other, plain, result_of_add)
  /* clang-format on */
  {
    const shape *p = &s;
    area = solo_call_indirect(&shape::area, p);
    sides = solo_call_indirect(&shape::sides, p);
    p = &t;
    other = solo_call_indirect(late, p);
    plain = solo_call_indirect(member, &z, 21);
    result_of_add = solo_call_indirect(f, 4, added);
  }
  CHECK_INT(area, 25 + on);
  CHECK_INT(sides, 4 + on);
  CHECK_INT(other, 6 + on);
  CHECK_INT(plain, 42 + on);
  CHECK_INT(added, 5 + on);
  CHECK_INT(result_of_add, 5 + on);
#pragma omp target device(device) map(tofrom : m) map(to : v, k) map(from : part, name, base, made)
  {
    named *second = &m; /* not at the beginning of the object */
    name = solo_call_indirect(&named::name, second, 2, 3.5);
    part = solo_call_indirect(&both::area, &m);
    // the virtual table contains the base's offset
    base = solo_call_indirect(&virtually::name, &v, 1, 1.0);
    large l = solo_call_indirect(&maker::make, &k, 9);
    made = l.words[7];
  }
  CHECK_INT(name, 75 + on);
  CHECK_INT(m.c, 1);
  CHECK_INT(part, 77 + on);
  CHECK_INT(base, 302 + on);
  CHECK_INT(made, 9 + on);
  shape *here = &s;
  CHECK_INT(here->area(), 25);
  CHECK_INT(static_cast<named &>(m).name(0, 0), 70);
}

int main() {
  tell_classes();
  all(0, 1000);
  all(omp_get_initial_device(), 0);
  return result();
}
