/* Threadprivate variables in copyin clauses, with and without a target region, as C and C++. */
#include <stdio.h>

#ifdef __cplusplus
struct number {
  int value;
  number() : value(1) {}
};
static number object;
namespace space {
int inside = 1;
}
#pragma omp threadprivate(object, space::inside)
#define MORE       object.value + space::inside
#define SET(n)     object.value = space::inside = (n)
#define COPY_THESE outer, inner, object, space::inside
#else
#define MORE       0
#define SET(n)     ((void)0)
#define COPY_THESE outer, inner
#endif

int outer = 1;
static int inner = 1;
#pragma omp threadprivate(outer, inner)

int main(void) {
  int sum = 0;
  outer = 2, inner = 3;
  SET(4);
#pragma omp parallel num_threads(3) copyin(COPY_THESE) reduction(+ : sum)
  sum += outer + inner + MORE;
  SET(0);
  outer = inner = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  sum += outer + inner + MORE;
#ifdef WITH_TARGET
#pragma omp target map(tofrom : sum)
  sum += 100;
#endif
  printf("sum %d\n", sum);
  return 0;
}
