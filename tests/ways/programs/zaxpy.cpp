/* The example of seed 000 (seeds.list), with a check. */
#include <complex>
#include <cstdio>

using complex = std::complex<double>;

void zaxpy(complex *X, complex *Y, complex D, std::size_t N) {
#pragma omp target teams distribute parallel for
  for (std::size_t i = 0; i < N; ++i) Y[i] = D * X[i] + Y[i];
}

int main() {
  const std::size_t N = 1024;
  complex X[N], Y[N], D(2, -1);
  for (std::size_t i = 0; i < N; ++i) X[i] = complex((double)i, 1), Y[i] = complex(1, (double)i);
#pragma omp target data map(to : X [0:N]) map(tofrom : Y [0:N])
  zaxpy(X, Y, D, N);
  int wrong = 0;
  for (std::size_t i = 0; i < N; ++i)
    wrong += Y[i] != D * complex((double)i, 1) + complex(1, (double)i);
  std::puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
