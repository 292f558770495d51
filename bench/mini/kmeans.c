/* k-means in two dimensions with a reduction of arrays over the league. */
#include "bench/mini/mini.h"

enum { MOST = 8000, K = 8, ROUNDS = 4 };
static double px[MOST], py[MOST];

static void round_of(long n, const double *cx, const double *cy, double *sum) {
  for (int i = 0; i < 3 * K; i++) sum[i] = 0;
#pragma omp target teams distribute parallel for num_teams(32) thread_limit(256)                   \
    map(to : cx[0 : K], cy[0 : K]) map(tofrom : sum[0 : 3 * K]) reduction(+ : sum[0 : 3 * K])
  for (long i = 0; i < n; i++) {
    int best = 0;
    double least = 1e300;
    for (int k = 0; k < K; k++) {
      double dx = px[i] - cx[k], dy = py[i] - cy[k], d = dx * dx + dy * dy;
      if (d < least) least = d, best = k;
    }
    sum[best] += px[i];
    sum[K + best] += py[i];
    sum[2 * K + best] += 1;
  }
}

void mini_kmeans(long times, long n) {
  double cx[K], cy[K], sum[3 * K] = {0};
  for (long i = 0; i < n; i++) { /* clouds around the corners of an octagon */
    double angle = 2 * M_PI * (double)(i % K) / K;
    px[i] = 10 * cos(angle) + mini_random((uint64_t)i, 0) - 0.5;
    py[i] = 10 * sin(angle) + mini_random((uint64_t)i, 1) - 0.5;
  }
  for (long t = 0; t < times; t++) {
    for (int k = 0; k < K; k++) cx[k] = px[k], cy[k] = py[k];
#pragma omp target data map(to : px [0:n], py [0:n])
    for (int r = 0; r < ROUNDS; r++) {
      round_of(n, cx, cy, sum);
      for (int k = 0; k < K; k++) {
        cx[k] = sum[k] / sum[2 * K + k];
        cy[k] = sum[K + k] / sum[2 * K + k];
      }
    }
  }
  double off = 0;
  for (int k = 0; k < K; k++) {
    mini_check("kmeans: size", sum[2 * K + k], (double)(n / K), 0);
    off = fmax(off, fabs(hypot(cx[k], cy[k]) - 10));
  }
  mini_check("kmeans: centres", off, 0, 0.2);
}
