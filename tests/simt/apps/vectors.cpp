/* A class with operators, and a declared reduction. */
#include "app.h"

struct vec {
  double x, y, z;
  vec operator+(const vec &o) const {
    return {x + o.x, y + o.y, z + o.z};
  }
  vec operator*(double s) const {
    return {x * s, y * s, z * s};
  }
};
#pragma omp declare reduction(add:vec                                                              \
                              : omp_out = omp_out + omp_in) initializer(omp_priv = vec{0, 0, 0})

APP(vectors) {
  enum { N = 200 };
  static vec v[N];
  vec sum = {0, 0, 0}, expected = {0, 0, 0};
  for (int i = 0; i < N; i++) v[i] = {double(i), double(i % 7), double(-i)};
#pragma omp target teams distribute parallel for reduction(add : sum) map(to : v) map(tofrom : sum)
  for (int i = 0; i < N; i++) sum = sum + v[i] * 2;
  for (int i = 0; i < N; i++) expected = expected + v[i] * 2;
  return app_differ(&sum.x, &expected.x, 3, 0);
}
