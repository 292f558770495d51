/* LIBOMPTARGET_INFO: pointers to pointers. */
#include <stdio.h>
#include <stdlib.h>
typedef struct inner {
  int n;
  int *v;
} inner;
typedef struct outer {
  int k;
  inner *in;
  inner one;
} outer;
int main(void) {
  int data[6] = {1, 2, 3, 4, 5, 6}, more[4] = {0};
  inner i = {6, data};
  outer o = {1, &i, {4, more}};
#pragma omp target map(to : o.k) map(tofrom : o.in [0:1], o.in->v [0:6])
  o.in->v[0] = o.k + 10;
#pragma omp target map(tofrom : o.one.v [0:4])
  o.one.v[1] = 3;
  outer *po = &o;
#pragma omp target enter data map(to : po [0:1]) map(to : po->in [0:1]) map(to : po->in->v [0:6])
#pragma omp target map(po->in->v [0:6])
  po->in->v[1] = 77;
#pragma omp target update from(po->in->v [0:6])
#pragma omp target exit data map(from                                                              \
                                 : po->in->v [0:6]) map(release                                    \
                                                        : po->in [0:1]) map(release                \
                                                                            : po [0:1])
  printf("%d %d %d\n", data[0], more[1], data[1]);
}
