/* A kernel with static and dynamic shared memory. The limit that the driver checks must cover
 * both. */
#include <omp.h>
#include <stdio.h>

enum { N = 9000 };

int main(void) {
  int wrong = 0;
#pragma omp target teams num_teams(3) thread_limit(64) map(tofrom                                  \
                                                           : wrong) ompx_dyn_cgroup_mem(100000)
  {
    int a[N];
#pragma omp allocate(a) allocator(omp_pteam_mem_alloc)
#pragma omp parallel for
    for (int i = 0; i < N; i++) a[i] = i + omp_get_team_num();
#pragma omp parallel for reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += a[N - 1 - i] != N - 1 - i + omp_get_team_num();
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
