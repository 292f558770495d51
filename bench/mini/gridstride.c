/* y = a x + y in the style of CUDA: a grid-stride loop over teams and threads. */
#include "bench/mini/mini.h"
#include <omp.h>

enum { MOST = 100000 };
static double x[MOST], y[MOST];

void mini_gridstride(long times, long n) {
  for (long i = 0; i < n; i++) x[i] = (double)i, y[i] = 1;
#pragma omp target data map(to : x [0:n]) map(tofrom : y [0:n])
  for (long t = 0; t < times; t++) {
#pragma omp target teams num_teams(128) thread_limit(256)
#pragma omp parallel num_threads(256)
    {
      long width = (long)omp_get_num_teams() * omp_get_num_threads();
      long me = (long)omp_get_team_num() * omp_get_num_threads() + omp_get_thread_num();
      for (long i = me; i < n; i += width) y[i] += 0.5 * x[i];
    }
  }
  double off = 0;
  for (long i = 0; i < n; i++) off = fmax(off, fabs(y[i] - 1 - 0.5 * (double)times * (double)i));
  mini_check("gridstride: sums", off, 0, 1e-9);
}
