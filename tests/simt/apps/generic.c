/* Parallel regions share variables of a generic kernel. */
#include "app.h"
#include <omp.h>

APP(generic) {
  int result[6] = {0}, wrong = 0;
#pragma omp target teams distribute map(tofrom : result) thread_limit(64)
  for (int team = 0; team < 6; team++) {
    int sum = team, many = 0;
#pragma omp parallel num_threads(48) reduction(+ : sum)
    sum += omp_get_thread_num();
    int first = sum;
#pragma omp parallel for reduction(max : many)
    for (int i = 0; i < 100; i++) many = many > i * first ? many : i * first;
    for (int i = 0; i < 3; i++) {
#pragma omp parallel
      {
#pragma omp masked
        many -= first;
      }
    }
    result[team] = many;
  }
  for (int team = 0; team < 6; team++) {
    int n = 0;
#pragma omp target map(tofrom : n) thread_limit(64)
#pragma omp parallel num_threads(48)
#pragma omp masked
    n = omp_get_num_threads();
    wrong += result[team] != 96 * (team + n * (n - 1) / 2);
  }
  return wrong;
}
