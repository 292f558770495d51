/* Structures with pointers, declare mapper. */
#include "app.h"

enum { CELLS = 4, N = 20 };
typedef struct cell {
  int count;
  double *energy;
} cell;
#pragma omp declare mapper(cell c) map(tofrom : c) map(tofrom : c.energy [0:c.count])

APP(particles) {
  cell c[CELLS];
  int wrong = 0;
  for (int i = 0; i < CELLS; i++) {
    c[i].count = N - i;
    c[i].energy = malloc(sizeof(double) * (size_t)c[i].count);
    for (int k = 0; k < c[i].count; k++) c[i].energy[k] = i + k;
  }
#pragma omp target teams distribute map(tofrom : c)
  for (int i = 0; i < CELLS; i++) {
#pragma omp parallel for
    for (int k = 0; k < c[i].count; k++) c[i].energy[k] *= 2;
  }
  for (int i = 0; i < CELLS; i++) {
    for (int k = 0; k < c[i].count; k++) wrong += c[i].energy[k] != 2 * (i + k);
    free(c[i].energy);
  }
  return wrong;
}
