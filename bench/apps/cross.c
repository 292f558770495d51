/* Monte Carlo look-up of cross sections: random energies in the sorted grids of random nuclides. */
#include "bench/apps/app.h"

enum { NUCLIDES = 32, GRID = 512, CHANNELS = 5 };
typedef struct point {
  double energy, section[CHANNELS];
} point;

#pragma omp declare target
static uint64_t random_of(uint64_t seed) {
  seed += 0x9e3779b97f4a7c15u;
  seed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9u;
  seed = (seed ^ seed >> 27) * 0x94d049bb133111ebu;
  return seed ^ seed >> 31;
}

static double unit_of(uint64_t seed) {
  return (double)(random_of(seed) >> 11) / 9007199254740992.;
}

static double look_up(const point *grids, uint64_t sample) {
  double energy = unit_of(2 * sample), total = 0;
  int count = 1 + (int)(random_of(2 * sample + 1) % 8);
  for (int k = 0; k < count; k++) {
    const point *grid = grids + (random_of(sample * 8 + (uint64_t)k) % NUCLIDES) * GRID;
    int low = 0, high = GRID - 1;
    while (high - low > 1) {
      int middle = (low + high) / 2;
      if (grid[middle].energy <= energy)
        low = middle;
      else
        high = middle;
    }
    double t = (energy - grid[low].energy) / (grid[high].energy - grid[low].energy);
    for (int c = 0; c < CHANNELS; c++)
      total += (1 - t) * grid[low].section[c] + t * grid[high].section[c];
  }
  return total;
}
#pragma omp end declare target

int main(int argc, char **argv) {
  int times = app_is_quick(argc, argv) ? 5 : 30;
  const long samples = 20000;
  point *grids = app_allocate(NUCLIDES * GRID, sizeof *grids);
  for (int n = 0; n < NUCLIDES; n++)
    for (int g = 0; g < GRID; g++) {
      point *p = &grids[n * GRID + g];
      p->energy =
          (g + (g > 0 && g < GRID - 1 ? 0.9 * unit_of((uint64_t)(n * GRID + g)) : 0)) / (GRID - 1);
      for (int c = 0; c < CHANNELS; c++)
        p->section[c] = unit_of((uint64_t)((n * GRID + g) * 5 + c));
    }
  grids[0].energy = 0;
  double right = 0, sum = 0;
  for (long i = 0; i < samples; i++) right += look_up(grids, (uint64_t)i);
#pragma omp target data map(to : grids [0:NUCLIDES * GRID])
  for (int k = -1; k < times; k++) {
    sum = 0;
    double start = app_now();
#pragma omp target teams distribute parallel for reduction(+ : sum)
    for (long i = 0; i < samples; i++) sum += look_up(grids, (uint64_t)i);
    if (k == 0) printf("app/cross ns");
    if (k >= 0) printf(" %.4g", app_now() - start);
  }
  printf("\n");
  app_check("sum of cross sections", sum, right, 1e-9);
  return 0;
}
