/* Description: host threads map, launch and unmap common and separate ranges concurrently. No copy
 * may be late or lost. */
#include "check.h"
#include <omp.h>
#include <string.h>

#ifndef ROUNDS /* tests/simt defines a smaller number */
#define ROUNDS 200
#endif

enum { THREADS = 8, N = 256 };

/* Each region maps the variable anew and must copy the value that the previous region wrote back. */
static void shared_counter(void) {
  int lost = 0;
  for (int r = 0; r < 5 * ROUNDS; r++) {
    int counter = 0;
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 4; i++) {
#pragma omp target map(tofrom : counter)
      {
#pragma omp atomic
        counter++;
      }
    }
    lost += 16 - counter;
  }
  CHECK_INT(lost, 0);
}

int main(void) {
  static int shared[N];
  shared_counter();
  int bad = 0;
  for (int i = 0; i < N; i++) shared[i] = i;
#pragma omp parallel num_threads(THREADS) reduction(+ : bad)
  {
    int own[N];
    for (int r = 0; r < ROUNDS; r++) {
      int wrong = 0;
#pragma omp target map(to : shared) map(tofrom : wrong)
      for (int i = 0; i < N; i++) wrong += shared[i] != i;
      bad += wrong;
      for (int i = 0; i < N; i++) own[i] = r + i;
#pragma omp target enter data map(to : own)
#pragma omp target
      for (int i = 0; i < N; i++) own[i] *= 2;
#pragma omp target exit data map(from : own)
      for (int i = 0; i < N; i++) bad += own[i] != 2 * (r + i);
    }
  }
  CHECK_INT(bad, 0);
  CHECK_INT(omp_target_is_present(shared, omp_get_default_device()), 0);
  return result();
}
