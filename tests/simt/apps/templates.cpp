/* Templates: one kernel per type and operation. */
#include "app.h"

template <typename T> struct plus {
  static T apply(T a, T b) {
    return a + b;
  }
};
template <typename T> struct times {
  static T apply(T a, T b) {
    return a * b;
  }
};

template <typename T, template <typename> class Operation, int N> static int check() {
  T a[N], b[N], on[N];
  int wrong = 0;
  for (int i = 0; i < N; i++) a[i] = T(i), b[i] = T(3 * i + 1);
#pragma omp target teams distribute parallel for map(to : a, b) map(from : on)
  for (int i = 0; i < N; i++) on[i] = Operation<T>::apply(a[i], b[i]);
  for (int i = 0; i < N; i++) wrong += on[i] != Operation<T>::apply(a[i], b[i]);
  return wrong;
}

APP(templates) {
  return check<int, plus, 50>() + check<float, times, 33>() + check<double, plus, 70>() +
         check<unsigned char, times, 16>();
}
