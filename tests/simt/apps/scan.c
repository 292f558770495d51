/* Prefix sums by doubling, with barriers. */
#include "app.h"
#include <omp.h>

enum { N = 128 };

APP(scan) {
  int data[N], sum = 0, wrong = 0;
  for (int i = 0; i < N; i++) data[i] = i * 5 % 13;
#pragma omp target teams num_teams(1) thread_limit(N) map(tofrom : data)
  {
    int room[2][N];
#pragma omp parallel num_threads(N)
    {
      int from = 0;
#pragma omp for
      for (int i = 0; i < N; i++) room[0][i] = data[i];
      for (int step = 1; step < N; step *= 2, from ^= 1) {
#pragma omp for
        for (int i = 0; i < N; i++)
          room[from ^ 1][i] = room[from][i] + (i >= step ? room[from][i - step] : 0);
      }
#pragma omp for
      for (int i = 0; i < N; i++) data[i] = room[from][i];
    }
  }
  for (int i = 0; i < N; i++) wrong += data[i] != (sum += i * 5 % 13);
  return wrong;
}
