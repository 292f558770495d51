/* Description: a nested dynamic loop belongs to a team of one thread. (In dispatch.c, this loop
 * would delay the optimiser for minutes for gfx.) */
#include <stdio.h>

enum { N = 700 };
static int x[N];

int main(void) {
  int wrong = 0;
#pragma omp target map(tofrom : x) thread_limit(64)
#pragma omp parallel for schedule(dynamic, 3)
  for (int i = 0; i < N / 10; i++) {
#pragma omp parallel for schedule(dynamic, 2)
    for (int k = 0; k < 10; k++) {
#pragma omp atomic
      x[i * 10 + k]++;
    }
  }
  for (int i = 0; i < N; i++) wrong += x[i] != 1;
  printf("%d of %d iterations did not execute exactly once\n", wrong, N);
  return wrong != 0;
}
