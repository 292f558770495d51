/* Four contexts of ucontext(3) execute regions and alternate with swapcontext. */
#include "tests/hostile/programs/hostile.h"
#ifdef __GLIBC__
#include <ucontext.h>
static ucontext_t m, a[4];
static int w, n;
static void co(int k) {
  for (int i = 0; i < 20; i++) {
    w += region(i) != i + 1;
    w += loop();
    w += team() < 1;
    n++;
    swapcontext(&a[k], &a[(k + 1) % 4]);
  }
}
int main(void) {
  for (int k = 0; k < 4; k++) {
    getcontext(&a[k]);
    a[k].uc_stack.ss_sp = malloc(262144);
    a[k].uc_stack.ss_size = 262144;
    a[k].uc_link = &m;
    makecontext(&a[k], (void (*)(void))co, 1, k);
  }
  swapcontext(&m, &a[0]);
  printf("%d %d\n", w, n);
  return w;
}
#else
int main(void) {
  return 0;
}
#endif
