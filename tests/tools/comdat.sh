# Description: checks that a COMDAT group of device code is not merged with a group of host code of another C++ object.
name=comdat
. tests/tools/lib.sh
cat >both.h <<'END'
#include <stdexcept>
#include <vector>
template <class T> struct Adder {
  T k;
  void run(T *a, int n) {
    T by = k;
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n])
    for (int i = 0; i < n; i++) a[i] += by;
  }
};
#pragma omp begin declare target
inline int count_calls() {
  static int calls = 0;
  return ++calls;
}
struct Shape {
  virtual int sides() const { return 0; }
  virtual ~Shape() {}
};
struct Square : Shape {
  int sides() const override { return 4; }
};
inline int sides(const Shape &s) { return s.sides(); }
template <class T> T biggest(T a, T b) { return a > b ? a : b; }
#pragma omp end declare target
inline int risky(int x) {
  if (x > 3) throw std::runtime_error("too big");
  return x;
}
int second(int *a, int n);
END
cat >one.cpp <<'END'
#include "both.h"
#include <cstdio>
int main() {
  std::vector<int> v(8, 1);
  Adder<int> add{2};
  add.run(v.data(), 8);
  int on_device = 0, host = count_calls(), n = second(v.data(), 8);
#pragma omp target map(from : on_device)
  {
    Square q;
    on_device = 100 * count_calls() + 10 * sides(q) + biggest(2, 3);
  }
  int caught = 0;
  try {
    risky(v[0]);
  } catch (const std::exception &) {
    caught = 1;
  }
  std::printf("%d %d %d %d %d\n", v[0], host, n, on_device, caught);
  return 0;
}
END
cat >two.cpp <<'END'
#include "both.h"
int second(int *a, int n) {
  Adder<int> add{5};
  add.run(a, n);
  int r = 0;
#pragma omp target map(from : r)
  r = 10 * count_calls() + biggest(1, 2);
  return r + 1000 * count_calls();
}
END
for clang in clang-19 clang-22; do
  for o in -O0 -O2; do
    works $cxx --clang=$clang --static $o -g -c one.cpp -o one.o
    works $cxx --clang=$clang --static $o -g -c two.cpp -o two.o
    for order in 'one.o two.o' 'two.o one.o'; do
      for ld in bfd lld; do
        works $cxx --clang=$clang --static -fuse-ld=$ld $order -o p
        # host calls: 1 in main, 2 in second(); device calls: 1 in second(), 2 in main
        says '8 1 2012 243 1' ./p
        is_static p
      done
    done
  done
done
works $link --libc=glibc --device-object=device.o one.o two.o
count 0 'groups in the device object' sh -c 'readelf -gW device.o | grep -c "group section"'
count 0 'global definitions in the device object' sh -c "nm -g --defined-only device.o | grep -c ."
count 0 'entry sections in the device object' sh -c \
  "readelf -SW device.o | grep -cE 'offload(ing)?_entries|rodata.offloading'"
done_testing
