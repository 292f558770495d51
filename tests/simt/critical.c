/* Description: critical regions in device code exclude each other. */
#include <stdio.h>

int main(void) {
  int sum = 0, named = 0, ticks = 0;
/* clang-format off */
#pragma omp target teams distribute parallel for map(tofrom : sum, named, ticks) num_teams(3) \
    thread_limit(64)
  /* clang-format on */
  for (int i = 0; i < 1000; i++) {
#pragma omp critical
    sum += i;
#pragma omp critical(other)
    {
      int before = *(volatile int *)&named;
      for (int k = 0; k < 70; k++) {
#pragma omp atomic
        ticks++;
      }
      *(volatile int *)&named = before + 1;
    }
  }
  if (sum != 499500 || named != 1000) printf("wrong: %d %d\n", sum, named);
  return sum != 499500 || named != 1000;
}
