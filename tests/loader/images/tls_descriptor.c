/* Thread-local variables through descriptors (-mtls-dialect=gnu2, the default on AArch64). */
#include "thing.h"

volatile __thread int described = 9;
static __thread int second = 4;
int value(void) {
  return described;
}
/* Holds values in registers across the access: a descriptor call must preserve registers that an
 * ordinary call may change. */
int keeps(const volatile double *x) {
  double a = x[0], b = x[1], c = x[2], d = x[3], e = x[4], f = x[5], g = x[6], h = x[7];
  double i = x[8], j = x[9], k = x[10], l = x[11], m = x[12], n = x[13], o = x[14], p = x[15];
  described++;
  return (int)(a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8 + i * 9 + j * 10 + k * 11 +
               l * 12 + m * 13 + n * 14 + o * 15 + p * 16) +
         second++ + described + thing_tls;
}
