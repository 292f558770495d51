/* C part of mixed.f90: regions and a device function on data that Fortran mapped. */
#include <omp.h>

#pragma omp declare target
static double cube(double x) {
  return x * x * x;
}
#pragma omp end declare target

void c_region(double *a, int n);
void c_region(double *a, int n) {
#pragma omp target teams distribute parallel for map(tofrom : a[:n])
  for (int i = 0; i < n; i++) a[i] = cube(a[i]) + omp_get_num_teams() * 0.0;
}

double c_sum(const double *a, int n);
double c_sum(const double *a, int n) {
  double sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) num_teams(2) map(to : a[:n])
  for (int i = 0; i < n; i++) sum += a[i];
  return sum;
}
