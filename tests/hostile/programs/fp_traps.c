/* All floating-point traps but inexact are enabled. */
#include "tests/hostile/programs/hostile.h"
#include <fenv.h>
int main(void) {
  __asm__ volatile("" ::: "memory");
  unsigned m;
  __asm__("stmxcsr %0" : "=m"(m));
  m &= ~0x1f80u;
  m |= 0x1000u;
  __asm__("ldmxcsr %0" ::"m"(m));
  int w = 0;
  for (int i = 0; i < 50; i++) {
    w += region(i) != i + 1 || loop() || team() < 1;
    int s = 0;
#pragma omp parallel for schedule(guided) reduction(+ : s)
    for (int k = 0; k < 1000; k++) s += k;
    w += s != 499500;
  }
  printf("%d\n", w);
  return w;
}
