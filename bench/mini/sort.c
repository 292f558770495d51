/* Bitonic sort: log2(n) (log2(n) + 1) / 2 regions. */
#include "bench/mini/mini.h"

enum { MOST = 8192 };
static unsigned key[MOST];

void mini_sort(long times, long n) {
  for (long t = 0; t < times; t++) {
    for (long i = 0; i < n; i++) key[i] = (unsigned)i * 2654435761u;
#pragma omp target data map(tofrom : key [0:n])
    for (long width = 2; width <= n; width *= 2)
      for (long step = width / 2; step > 0; step /= 2) {
#pragma omp target teams distribute parallel for num_teams((n + 511) / 512) thread_limit(256)
        for (long k = 0; k < n / 2; k++) {
          long i = 2 * k - (k & (step - 1)), j = i + step;
          unsigned a = key[i], b = key[j];
          if ((a > b) == !(i & width)) key[i] = b, key[j] = a;
        }
      }
  }
  long wrong = 0;
  unsigned all = 0, right = 0;
  for (long i = 0; i < n; i++) {
    wrong += i > 0 && key[i - 1] > key[i];
    all += key[i];
    right += (unsigned)i * 2654435761u;
  }
  mini_check("sort: order", (double)wrong, 0, 0);
  mini_check("sort: keys", all, right, 0);
}
