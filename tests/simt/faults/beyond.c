/* Writes beyond a mapped array. */
#include <stdlib.h>

int main(int argc, char **argv) {
  int n = 1000, far = argc > 1 ? atoi(argv[1]) : 1 << 28;
  int *x = malloc(sizeof *x * n);
#pragma omp target teams distribute parallel for map(tofrom : x [0:n])
  for (int i = 0; i < n; i++) x[i + (i == 500 ? far : 0)] = i; /* here */
  return x[1] != 1;
}
