/* Accesses one element beyond a mapped array. */
#include <stdlib.h>

int main(void) {
  enum { N = 100 };
  int *a = calloc(N + 1, sizeof *a), *b = calloc(N, sizeof *b);
#pragma omp target teams distribute parallel for map(tofrom : a [0:N]) map(to : b [0:N])
  for (int i = 0; i <= N; i++) a[i] += i < N ? b[i] : 1; /* here */
  free(a);
  free(b);
  return 0;
}
