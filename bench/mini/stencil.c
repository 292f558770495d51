/* Heat on a square (Jacobi), with a reduction of the largest change every tenth sweep. */
#include "bench/mini/mini.h"

enum { MOST = 128, SWEEPS = 20 };
static double grid[2][MOST * MOST];

static void sweep(long n, int from) {
#pragma omp target teams distribute parallel for collapse(2) num_teams(64) thread_limit(256)
  for (long y = 1; y < n - 1; y++)
    for (long x = 1; x < n - 1; x++)
      grid[1 - from][y * n + x] =
          0.25 * (grid[from][y * n + x - 1] + grid[from][y * n + x + 1] +
                  grid[from][(y - 1) * n + x] + grid[from][(y + 1) * n + x]);
}

static double change(long n) {
  double most = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(max                         \
                                                                       : most) map(tofrom          \
                                                                                   : most)
  for (long y = 1; y < n - 1; y++)
    for (long x = 1; x < n - 1; x++)
      most = fmax(most, fabs(grid[1][y * n + x] - grid[0][y * n + x]));
  return most;
}

void mini_stencil(long times, long n) {
  double last = 0;
  for (long t = 0; t < times; t++) {
    for (long i = 0; i < n * n; i++) { /* the solution is a plane; the inside starts at 0 */
      long x = i % n, y = i / n;
      int is_edge = x == 0 || y == 0 || x == n - 1 || y == n - 1;
      grid[0][i] = grid[1][i] = is_edge ? (double)(x + y) : 0;
    }
    last = 1e300;
#pragma omp target data map(tofrom : grid)
    for (int s = 0; s < SWEEPS; s++) {
      sweep(n, s & 1);
      if (s % 10 != 9) continue;
      double now = change(n);
      mini_check("stencil: falls", now < last && now > 0, 1, 0);
      last = now;
    }
  }
  mini_check("stencil: within the edge's values", grid[0][n + 1] > 0 && grid[0][n + 1] < 2, 1, 0);
}
