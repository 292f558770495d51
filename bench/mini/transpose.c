/* Matrix transposition by tiles: each team reads rows and writes columns. */
#include "bench/mini/mini.h"

enum { MOST = 256, TILE = 32 };
static float in[MOST * MOST], out[MOST * MOST];

void mini_transpose(long times, long n) {
  for (long i = 0; i < n * n; i++) in[i] = (float)i;
  for (long t = 0; t < times; t++) {
#pragma omp target teams distribute collapse(2) num_teams((n / TILE) * (n / TILE))                 \
    thread_limit(256) map(to                                                                       \
                          : in [0:n * n]) map(from                                                 \
                                              : out [0:n * n])
    for (long y = 0; y < n; y += TILE)
      for (long x = 0; x < n; x += TILE) {
        float tile[TILE][TILE];
#pragma omp parallel num_threads(256)
        {
#pragma omp for collapse(2)
          for (long i = 0; i < TILE; i++)
            for (long j = 0; j < TILE; j++) tile[i][j] = in[(y + i) * n + x + j];
#pragma omp for collapse(2)
          for (long j = 0; j < TILE; j++)
            for (long i = 0; i < TILE; i++) out[(x + j) * n + y + i] = tile[i][j];
        }
      }
  }
  long wrong = 0;
  for (long i = 0; i < n * n; i++) wrong += out[i] != in[i % n * n + i / n];
  mini_check("transpose: places", (double)wrong, 0, 0);
}
