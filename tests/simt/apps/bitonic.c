/* Bitonic sort, one region per stage. */
#include "app.h"

enum { N = 256 };

APP(bitonic) {
  static unsigned data[N];
  unsigned state = 11;
  int wrong = 0;
  for (int i = 0; i < N; i++) data[i] = app_next(&state) % 1000;
#pragma omp target data map(tofrom : data)
  for (int k = 2; k <= N; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++) {
        int other = i ^ j;
        if (other > i && (data[i] > data[other]) == ((i & k) == 0)) {
          unsigned t = data[i];
          data[i] = data[other];
          data[other] = t;
        }
      }
    }
  for (int i = 1; i < N; i++) wrong += data[i - 1] > data[i];
  return wrong;
}
