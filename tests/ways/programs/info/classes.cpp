/* LIBOMPTARGET_INFO: classes, this, lambda. */
#include <cstdio>
struct M {
  int n;
  double *d;
  double x[4];
  void run() {
#pragma omp target map(tofrom : d [0:n])
    {
      for (int i = 0; i < n; i++) d[i] += x[0];
    }
#pragma omp target teams distribute parallel for map(this[:1])
    for (int i = 0; i < 4; i++) x[i] = i;
  }
};
template <class T> void add(T *a, int n, T b) {
#pragma omp target teams distribute parallel for map(tofrom : a [0:n])
  for (int i = 0; i < n; i++) a[i] += b;
}
int main() {
  double d[10] = {};
  M m{10, d, {1, 2}};
  m.run();
  add(d, 10, 3.0);
  int k = 4;
  auto l = [&](int i) { d[i] = k; };
#pragma omp target map(to : l) map(tofrom : d)
  l(3);
  int &r = k;
#pragma omp target map(r)
  r++;
  std::printf("%g %d\n", d[3], k);
}
