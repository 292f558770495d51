/* Declare target data: updates in both directions, use in functions. */
#include "app.h"

enum { N = 8 };

#pragma omp begin declare target
int app_table[N] = {1, 2, 3, 4, 5, 6, 7, 8};
double app_scale = 2;
static int look_up(int i) {
  return app_table[i] * (int)app_scale;
}
#pragma omp end declare target

APP(declared) {
  int on[N], wrong = 0;
#pragma omp target map(from : on)
  for (int i = 0; i < N; i++) on[i] = look_up(i), app_table[i] += i;
  for (int i = 0; i < N; i++) wrong += on[i] != 2 * (i + 1);
  app_scale = 3;
#pragma omp target update to(app_scale) from(app_table)
  for (int i = 0; i < N; i++) wrong += app_table[i] != 2 * i + 1;
#pragma omp target map(from : on)
#pragma omp parallel for
  for (int i = 0; i < N; i++) on[i] = look_up(i);
  for (int i = 0; i < N; i++) wrong += on[i] != 3 * (2 * i + 1);
  return wrong;
}
