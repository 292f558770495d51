/* Reduction over thousands of teams, through the reduction buffer. */
#include "app.h"

APP(red_teams) {
  long sum = 0, most = 0, n = 100000;
#pragma omp target teams distribute parallel for num_teams(2500) thread_limit(32)                  \
    reduction(+ : sum) reduction(max : most) map(tofrom : sum, most)
  for (long i = 0; i < n; i++) {
    sum += i;
    if (i * 7919 % 10007 > most) most = i * 7919 % 10007;
  }
  return (sum != n * (n - 1) / 2) + (most != 10006);
}
