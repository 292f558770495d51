/* All devices receive separate arrays, then one array. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { BYTES = 16 << 20, ROUNDS = 9 };
int main(void) {
  int devices = omp_get_num_devices();
  char *array[64];
  for (int n = 0; n < devices; n++) memset(array[n] = malloc(BYTES), n, BYTES);
  for (int round = 0; round < 2 * ROUNDS; round++) {
    int is_tree = round & 1;
    double begin = omp_get_wtime();
#pragma omp parallel master
    {
      for (int n = 0; n < devices; n++) {
        char *a = array[is_tree ? 0 : n];
#pragma omp target enter data nowait device(n) map(to : a[:BYTES])
      }
#pragma omp taskwait
    }
    printf("%s %.0f\n", is_tree ? "one" : "separate", 1e3 * (omp_get_wtime() - begin));
    for (int n = 0; n < devices; n++) {
      char *a = array[is_tree ? 0 : n];
#pragma omp target exit data device(n) map(delete : a[:BYTES])
    }
  }
  return 0;
}
