/* Lattice field theory: products of complex 3 x 3 matrices on the links of a four-dimensional
 * lattice. */
#include "bench/mini/mini.h"

enum { MOST = 8, SITES = MOST * MOST * MOST * MOST, LINKS = 4 };
typedef struct matrix {
  double re[3][3], im[3][3];
} matrix;
static matrix a[SITES][LINKS], c[SITES][LINKS];
static matrix b[LINKS];

void mini_su3(long times, long n) {
  long sites = n * n * n * n;
  for (int l = 0; l < LINKS; l++)
    for (int i = 0; i < 9; i++) { /* a permutation matrix times i */
      b[l].re[i / 3][i % 3] = 0;
      b[l].im[i / 3][i % 3] = (i / 3 + 1) % 3 == i % 3;
    }
  for (long s = 0; s < sites; s++)
    for (int l = 0; l < LINKS; l++)
      for (int i = 0; i < 9; i++) {
        a[s][l].re[i / 3][i % 3] = (double)(s % 10 + i);
        a[s][l].im[i / 3][i % 3] = l;
      }
  for (long t = 0; t < times; t++) {
#pragma omp target teams distribute num_teams(sites) thread_limit(36) map(to                       \
                                                                          : a [0:sites], b)        \
    map(from                                                                                       \
        : c [0:sites])
    for (long s = 0; s < sites; s++) {
#pragma omp parallel for collapse(3) num_threads(36)
      for (int l = 0; l < LINKS; l++)
        for (int i = 0; i < 3; i++)
          for (int j = 0; j < 3; j++) {
            double re = 0, im = 0;
            for (int k = 0; k < 3; k++) {
              re += a[s][l].re[i][k] * b[l].re[k][j] - a[s][l].im[i][k] * b[l].im[k][j];
              im += a[s][l].re[i][k] * b[l].im[k][j] + a[s][l].im[i][k] * b[l].re[k][j];
            }
            c[s][l].re[i][j] = re;
            c[s][l].im[i][j] = im;
          }
    }
  }
  double off = 0;
  for (long s = 0; s < sites; s++)
    for (int l = 0; l < LINKS; l++)
      for (int i = 0; i < 9; i++) {
        int from = i / 3 * 3 + (i % 3 + 2) % 3;
        off = fmax(off, fabs(c[s][l].im[i / 3][i % 3] - (double)(s % 10 + from)));
        off = fmax(off, fabs(c[s][l].re[i / 3][i % 3] + l));
      }
  mini_check("su3: products", off, 0, 1e-12);
}
