/* Prefix sums: within blocks, over blocks, then combined. */
#include "bench/mini/mini.h"

enum { MOST = 65536, BLOCK = 256 };
static int in[MOST], out[MOST], sum[MOST / BLOCK];

void mini_scan(long times, long n) {
  long blocks = n / BLOCK;
  for (long i = 0; i < n; i++) in[i] = (int)(i % 3);
  for (long t = 0; t < times; t++) {
#pragma omp target data map(to : in [0:n]) map(from : out [0:n]) map(alloc : sum [0:blocks])
    {
#pragma omp target teams distribute num_teams(blocks)
      for (long b = 0; b < blocks; b++) {
        int total = 0;
        for (long i = b * BLOCK; i < (b + 1) * BLOCK; i++) out[i] = total += in[i];
        sum[b] = total;
      }
#pragma omp target
      for (long b = 1; b < blocks; b++) sum[b] += sum[b - 1];
#pragma omp target teams distribute num_teams(blocks - 1) thread_limit(BLOCK)
      for (long b = 1; b < blocks; b++) {
#pragma omp parallel for num_threads(BLOCK)
        for (long i = b * BLOCK; i < (b + 1) * BLOCK; i++) out[i] += sum[b - 1];
      }
    }
  }
  long wrong = 0;
  for (long i = 0; i < n; i++) wrong += out[i] != i / 3 * 3 + (i % 3 == 1 ? 1 : i % 3 == 2 ? 3 : 0);
  mini_check("scan: sums", (double)wrong, 0, 0);
}
