/* One-dimensional lattice Boltzmann steps, structures of arrays. */
#include "app.h"

enum { N = 96 };
typedef struct lattice {
  double *rest, *left, *right;
} lattice;

static void step(lattice to, lattice from, int on_device) {
#pragma omp target teams distribute parallel for if (target                                        \
                                                     : on_device)                                  \
    map(to                                                                                         \
        : from.rest [0:N], from.left [0:N], from.right [0:N])                                      \
        map(from                                                                                   \
            : to.rest [0:N], to.left [0:N], to.right [0:N])
  for (int i = 0; i < N; i++) {
    double rho = from.rest[i] + from.left[(i + 1) % N] + from.right[(i + N - 1) % N];
    double u = (from.right[(i + N - 1) % N] - from.left[(i + 1) % N]) / rho;
    to.rest[i] = rho * (4 - 6 * u * u) / 6;
    to.left[i] = rho * (1 - 3 * u + 3 * u * u) / 6;
    to.right[i] = rho * (1 + 3 * u + 3 * u * u) / 6;
  }
}

APP(lattice) {
  static double room[2][6][N];
  lattice l[2][2];
  for (int d = 0; d < 2; d++)
    for (int s = 0; s < 2; s++)
      l[d][s] = (lattice){room[d][3 * s], room[d][3 * s + 1], room[d][3 * s + 2]};
  for (int d = 0; d < 2; d++) {
    for (int i = 0; i < N; i++)
      l[d][0].rest[i] = 4 + i % 3, l[d][0].left[i] = 1, l[d][0].right[i] = 1 + i % 2;
    for (int s = 0; s < 4; s++) step(l[d][(s + 1) % 2], l[d][s % 2], d == 0);
  }
  return app_differ(room[0][0], room[1][0], 6 * N, 1e-13);
}
