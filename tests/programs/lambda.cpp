// Description: checks C++ lambdas, member functions, templates and references in target regions.
#include "check.h"
#include <vector>

template <typename T> struct scaler {
  T factor;
  T *data;
  int n;
  void run() {
#pragma omp target teams distribute parallel for map(tofrom : data [0:n])
    for (int i = 0; i < n; i++) data[i] *= factor;
  }
};

int main() {
  double d[8];
  float s[8];
  for (int i = 0; i < 8; i++) d[i] = s[i] = float(i);
  scaler<double>{2.0, d, 8}.run();
  scaler<float>{0.5f, s, 8}.run();
  CHECK_INT(d[7], 14);
  CHECK_INT(s[6], 3);
  int v[5] = {1, 2, 3, 4, 5};
  int add = 10;
  auto by_value = [=](int x) { return x + add; };
#pragma omp target map(tofrom : v) map(to : by_value)
  for (int i = 0; i < 5; i++) v[i] = by_value(v[i]);
  CHECK_INT(v[4], 15);
  int table[3] = {100, 200, 300};
  auto by_ref = [&](int x) { return x + table[1]; };
#pragma omp target data map(to : table)
  {
#pragma omp target
    table[1] = 300; // by_ref must read this device value
#pragma omp target map(tofrom : v)
    v[0] = by_ref(v[0]);
  }
  CHECK_INT(v[0], 311);
  std::vector<int> w(100, 1);
  int *p = w.data();
  long sum = 0;
#pragma omp target teams distribute parallel for map(to : p [0:100]) reduction(+ : sum)
  for (int i = 0; i < 100; i++) sum += p[i];
  CHECK_INT(sum, 100);
  int &ref = add;
#pragma omp target map(tofrom : ref)
  ref++;
  CHECK_INT(add, 11);
  return result();
}
