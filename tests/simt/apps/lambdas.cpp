/* Lambdas with captures in device loops. */
#include "app.h"

template <typename Body> static void for_all(int n, const Body &body) {
#pragma omp target teams distribute parallel for map(to : body)
  for (int i = 0; i < n; i++) body(i);
}

APP(lambdas) {
  enum { N = 90 };
  int *a = new int[N], factor = 5, offset = 2, wrong = 0;
  for (int i = 0; i < N; i++) a[i] = i;
#pragma omp target data map(tofrom : a [0:N])
  {
#pragma omp target data use_device_ptr(a)
    for_all(N, [=](int i) { a[i] = a[i] * factor + offset; });
  }
  for (int i = 0; i < N; i++) wrong += a[i] != i * factor + offset;
  delete[] a;
  return wrong;
}
