/* A thread uses more than 380 KiB of local memory. */
#include <stdio.h>
enum { N = 32000 };
#pragma omp begin declare target
static int deeper(const char *from, int depth) {
  volatile char own[N];
  for (int i = 0; i < N; i++) own[i] = from[i];
  if (depth == 0) return own[99];
  return deeper((const char *)own, depth - 1) + 1;
}
#pragma omp end declare target
int main(void) {
  char a[N];
  int sum = 0, deep = 0;
  for (int i = 0; i < N; i++) a[i] = (char)(i % 100);
#pragma omp target firstprivate(a) map(tofrom : sum, deep)
  {
    for (int i = 0; i < N; i++) sum += a[i];
    deep = deeper(a, 11);
  }
#pragma omp target teams distribute parallel for firstprivate(a) reduction(+ : sum)
  for (int i = 0; i < N; i++) sum += a[i];
  printf("%d %d\n", sum, deep);
  return sum != 3168000 || deep != 110;
}
