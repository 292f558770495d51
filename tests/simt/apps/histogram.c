/* Atomics in shared and in global memory. */
#include "app.h"

enum { N = 4096, BINS = 32 };

APP(histogram) {
  static int data[N], bins[BINS], expected[BINS];
  unsigned state = 1;
  int wrong = 0;
  for (int i = 0; i < N; i++) expected[data[i] = (int)(app_next(&state) % BINS)]++;
#pragma omp target teams distribute num_teams(4) thread_limit(64) map(to : data) map(tofrom : bins)
  for (int part = 0; part < 4; part++) {
    int mine[BINS];
#pragma omp parallel
    {
#pragma omp for
      for (int i = 0; i < BINS; i++) mine[i] = 0;
#pragma omp for
      for (int i = part * (N / 4); i < (part + 1) * (N / 4); i++) {
#pragma omp atomic
        mine[data[i]]++;
      }
#pragma omp for
      for (int i = 0; i < BINS; i++) {
#pragma omp atomic
        bins[i] += mine[i];
      }
    }
  }
  for (int i = 0; i < BINS; i++) wrong += bins[i] != expected[i];
  return wrong;
}
