/* Conway's Game of Life on a torus: gliders move one cell in four generations. */
#include "bench/mini/mini.h"

enum { MOST = 192, GENERATIONS = 8 };
static unsigned char cell[2][MOST * MOST];

static void generation(long n, int from) {
#pragma omp target teams distribute parallel for collapse(2) num_teams(144) thread_limit(256)      \
    map(tofrom                                                                                     \
        : cell)
  for (long y = 0; y < n; y++)
    for (long x = 0; x < n; x++) {
      long left = (x + n - 1) % n, right = (x + 1) % n, up = (y + n - 1) % n * n;
      long down = (y + 1) % n * n, own = y * n;
      int sum = cell[from][up + left] + cell[from][up + x] + cell[from][up + right] +
                cell[from][own + left] + cell[from][own + right] + cell[from][down + left] +
                cell[from][down + x] + cell[from][down + right];
      cell[1 - from][own + x] = sum == 3 || (sum == 2 && cell[from][own + x]);
    }
}

void mini_life(long times, long n) {
  static const int glider[5][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
  long alive = 0, gliders = (n / 16) * (n / 16);
  for (long t = 0; t < times; t++) {
    for (long i = 0; i < n * n; i++) cell[0][i] = 0;
    for (long g = 0; g < gliders; g++)
      for (int i = 0; i < 5; i++)
        cell[0][(g / (n / 16) * 16 + glider[i][1]) * n + g % (n / 16) * 16 + glider[i][0]] = 1;
#pragma omp target data map(tofrom : cell)
    for (int g = 0; g < GENERATIONS; g++) generation(n, g & 1);
  }
  for (long g = 0; g < gliders; g++)
    for (int i = 0; i < 5; i++)
      alive += cell[0][(g / (n / 16) * 16 + glider[i][1] + 2) * n + g % (n / 16) * 16 +
                       glider[i][0] + 2];
  mini_check("life: gliders", (double)alive, 5 * (double)gliders, 0);
}
