/* Lattice-Boltzmann (D2Q9, BGK): decay of a shear wave on a periodic grid, one target region per
 * step. The amplitude must fall as exp(-nu k^2 t). */
#include "bench/apps/app.h"

enum { NX = 64, NY = 64, Q = 9, CELLS = NX * NY };
#define OMEGA 1.0

#pragma omp declare target
static const int cx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int cy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const double weight[Q] = {4. / 9,  1. / 9,  1. / 9,  1. / 9, 1. / 9,
                                 1. / 36, 1. / 36, 1. / 36, 1. / 36};

static double equilibrium(int q, double rho, double ux, double uy) {
  double cu = 3 * (cx[q] * ux + cy[q] * uy);
  return weight[q] * rho * (1 + cu + cu * cu / 2 - 1.5 * (ux * ux + uy * uy));
}

/* Streams from the neighbours and collides. */
static void update_cell(const double *from, double *to, int x, int y) {
  double f[Q], rho = 0, ux = 0, uy = 0;
  for (int q = 0; q < Q; q++) {
    int sx = (x - cx[q] + NX) % NX, sy = (y - cy[q] + NY) % NY;
    f[q] = from[q * CELLS + sy * NX + sx];
    rho += f[q];
    ux += f[q] * cx[q];
    uy += f[q] * cy[q];
  }
  ux /= rho, uy /= rho;
  for (int q = 0; q < Q; q++)
    to[q * CELLS + y * NX + x] = f[q] + OMEGA * (equilibrium(q, rho, ux, uy) - f[q]);
}
#pragma omp end declare target

static double amplitude(const double *f) {
  double sum = 0;
  for (int y = 0; y < NY; y++) {
    double ux = 0;
    for (int q = 0; q < Q; q++) ux += f[q * CELLS + y * NX] * cx[q];
    sum += ux * sin(2 * M_PI * y / NY);
  }
  return 2 * sum / NY;
}

int main(int argc, char **argv) {
  int steps = app_is_quick(argc, argv) ? 200 : 2000, batch = 20;
  double *a = app_allocate((size_t)Q * CELLS, sizeof *a),
         *b = app_allocate((size_t)Q * CELLS, sizeof *b);
  for (int y = 0; y < NY; y++)
    for (int x = 0; x < NX; x++)
      for (int q = 0; q < Q; q++)
        a[q * CELLS + y * NX + x] = equilibrium(q, 1, 0.01 * sin(2 * M_PI * y / NY), 0);
  double first = amplitude(a);
  printf("app/lattice ns");
#pragma omp target data map(tofrom : a [0:Q * CELLS]) map(alloc : b [0:Q * CELLS])
  for (int t = 0; t < steps; t += batch) {
    double start = app_now();
    for (int k = 0; k < batch; k += 2) {
#pragma omp target teams distribute parallel for collapse(2)
      for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++) update_cell(a, b, x, y);
#pragma omp target teams distribute parallel for collapse(2)
      for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++) update_cell(b, a, x, y);
    }
    printf(" %.4g", (app_now() - start) / batch);
  }
  printf("\n");
  double k = 2 * M_PI / NY, nu = (1 / OMEGA - 0.5) / 3;
  app_check("decay of the shear wave", amplitude(a) / first, exp(-nu * k * k * steps), 5e-3);
  return 0;
}
