/* Times a saxpy region in C: prints ns per region for 1000 and 10^6 elements (fortran.sh). */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static void region(const float *x, float *y, int n) {
#pragma omp target teams distribute parallel for map(to : x[:n]) map(tofrom : y[:n])
  for (int j = 0; j < n; j++) y[j] = x[j] + y[j];
}

int main(void) {
  static const int sizes[] = {1000, 1000000};
  for (int s = 0; s < 2; s++) {
    int n = sizes[s], repeats = 20000000 / n > 2000 ? 2000 : 20000000 / n;
    float *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y);
    if (!x || !y) return 1;
    for (int i = 0; i < n; i++) x[i] = 1, y[i] = 2;
    double best = 1e9;
#pragma omp target data map(to : x[:n]) map(tofrom : y[:n])
    for (int k = 0; k < 7; k++) { /* the first of seven warms up */
      double t = omp_get_wtime();
      for (int i = 0; i < repeats; i++) region(x, y, n);
      t = (omp_get_wtime() - t) / repeats;
      if (t < best) best = t;
    }
    for (int i = 0; i < n; i++)
      if (y[i] != 2 + 7.0F * (float)repeats) return 2;
    printf("%.1f\n", best * 1e9);
    free(x);
    free(y);
  }
  return 0;
}
