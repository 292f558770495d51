/* General and local dynamic thread-local variables. */
#include "thing.h"

__thread int exported = 41;
static __thread int with_value = 5;
static __thread char zeroes[100];
static __thread double aligned_value __attribute__((aligned(256))) = 2.5;
__thread int *pointer = thing_array;

int tls_sum(void) {
  exported++;
  with_value++;
  zeroes[99]++;
  aligned_value += 1;
  return exported * 1000000 + with_value * 10000 + zeroes[99] * 100 + (int)aligned_value * 10 +
         (((unsigned long)&aligned_value & 255) == 0 && *pointer == 10);
}
int tls_of_process(void) {
  return thing_tls++;
}
int *tls_address(void) {
  return &exported;
}
