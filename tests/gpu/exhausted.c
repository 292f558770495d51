/* Description: all device memory is allocated in large blocks and freed, twice. Both rounds must
 * have the same number of blocks, and regions must be correct throughout. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1000, N = 1000 };
static const size_t bytes = (size_t)1 << 32;

static int region(void) {
  int x[N], wrong = 0;
  for (int i = 0; i < N; i++) x[i] = i;
#pragma omp target teams distribute parallel for map(tofrom : x)
  for (int i = 0; i < N; i++) x[i] += 1;
  for (int i = 0; i < N; i++) wrong += x[i] != i + 1;
  return wrong;
}

int main(void) {
  int device = omp_get_default_device(), wrong = region(), taken[2];
  void *block[MOST];
  for (int turn = 0; turn < 2; turn++) {
    int n = 0;
    while (n < MOST && (block[n] = omp_target_alloc(bytes, device))) n++;
    taken[turn] = n;
    wrong += region();
    while (n) omp_target_free(block[--n], device);
  }
  wrong += region();
  printf("%d and %d blocks of 4 GiB, %d wrong\n", taken[0], taken[1], wrong);
  return wrong || !taken[0] || taken[0] == MOST || taken[0] != taken[1];
}
