/* Regions in threads with stacks of 16 to 64 KiB. */
#include "tests/hostile/programs/hostile.h"
static void *one(void *u) {
  *(int *)u = region(1) == 2;
  return u;
}
int main(void) {
  int sizes[] = {16384, 20480, 32768, 65536}, w = 0;
  for (int warm = 0; warm < 2; warm++)
    for (int i = 0; i < 4; i++) {
      pthread_attr_t a;
      pthread_t t;
      int ok = 0;
      pthread_attr_init(&a);
      if (pthread_attr_setstacksize(&a, sizes[i])) {
        printf("stack size %d is rejected\n", sizes[i]);
        continue;
      }
      if (pthread_create(&t, &a, one, &ok)) {
        printf("no thread with stack size %d\n", sizes[i]);
        continue;
      }
      pthread_join(t, 0);
      w += !ok;
    }
  printf("%d\n", w);
  return w;
}
