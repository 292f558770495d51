/* Gravity among all pairs, one body per thread. */
#include "bench/mini/mini.h"

enum { MOST = 400, STEPS = 2 };
static float x[MOST][4], v[MOST][4]; /* position, mass; velocity */

void mini_nbody(long times, long n) {
  for (long t = 0; t < times; t++) {
    for (long i = 0; i < n; i++)
      for (int d = 0; d < 4; d++) {
        x[i][d] = d == 3 ? 1 : (float)mini_random((uint64_t)i, (uint64_t)d) - 0.5f;
        v[i][d] = 0;
      }
#pragma omp target data map(tofrom : x [0:n], v [0:n])
    for (int s = 0; s < STEPS; s++) {
#pragma omp target teams distribute parallel for num_teams((n + 63) / 64) thread_limit(64)
      for (long i = 0; i < n; i++) {
        float f[3] = {0, 0, 0};
        for (long j = 0; j < n; j++) {
          float d0 = x[j][0] - x[i][0], d1 = x[j][1] - x[i][1], d2 = x[j][2] - x[i][2];
          float r2 = d0 * d0 + d1 * d1 + d2 * d2 + 1e-2f, w = x[j][3] / (r2 * sqrtf(r2));
          f[0] += w * d0, f[1] += w * d1, f[2] += w * d2;
        }
        for (int d = 0; d < 3; d++) v[i][d] += 1e-4f * f[d];
      }
#pragma omp target teams distribute parallel for thread_limit(64)
      for (long i = 0; i < n; i++)
        for (int d = 0; d < 3; d++) x[i][d] += 1e-4f * v[i][d];
    }
  }
  double momentum = 0, moved = 0;
  for (long i = 0; i < n; i++) momentum += (double)v[i][0], moved += fabs((double)v[i][0]);
  mini_check("nbody: momentum", momentum / moved, 0, 1e-4);
  mini_check("nbody: something moved", moved > 0, 1, 0);
}
