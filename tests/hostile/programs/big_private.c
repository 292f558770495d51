/* A thread with a 64 KiB stack maps 3 MB and firstprivate data. */
#include "tests/hostile/programs/hostile.h"
typedef struct {
  char c[3000000];
} big;
static big b;
static void *in(void *u) {
  big *x = &b;
  int r = 0;
#pragma omp target map(to : x [0:1]) map(from : r)
  r = x->c[2999999];
  *(int *)u = r;
  return u;
}
int main(void) {
  b.c[2999999] = 9;
  int r = 0, q = 0;
  pthread_attr_t a;
  pthread_t t;
  pthread_attr_init(&a);
  pthread_attr_setstacksize(&a, 65536);
  pthread_create(&t, &a, in, &r);
  pthread_join(t, 0);
  char f[100000];
  f[99999] = 5;
#pragma omp target firstprivate(f) map(from : q)
  q = f[99999];
  printf("%d %d\n", r, q);
  return r != 9 || q != 5;
}
