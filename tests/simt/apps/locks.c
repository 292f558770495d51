/* Locks in kernels: nestable locks, also from several teams, and hints. */
#include <omp.h>
#include <stdio.h>

#pragma omp begin declare target
static omp_nest_lock_t lock;
static omp_lock_t simple;
static int total, plain;
static void add(int depth) {
  omp_set_nest_lock(&lock);
  if (depth) add(depth - 1);
  total = total + 1;
  omp_unset_nest_lock(&lock);
}
#pragma omp end declare target

int main(void) {
  int depth[3], sum = 0, simple_sum = 0, other = -1, tries = 0, threads = 0, twice = -1;
#pragma omp target
  {
    omp_init_nest_lock_with_hint(&lock, omp_sync_hint_contended);
    omp_init_lock_with_hint(&simple, omp_sync_hint_speculative);
  }
#pragma omp target teams num_teams(4) thread_limit(64)
#pragma omp parallel
  {
    if (omp_get_thread_num() < 2) add(2);
    if (omp_get_thread_num() == 0) {
      omp_set_lock(&simple);
      plain = plain + 1;
      omp_unset_lock(&simple);
    }
  }
#pragma omp target map(tofrom : tries, threads, twice)
  {
#pragma omp parallel num_threads(64)
    {
      for (int done = 0; !done;)
        if (omp_test_lock(&simple)) {
          tries = tries + 1;
          done = 1;
          omp_unset_lock(&simple);
        }
#pragma omp single
      threads = omp_get_num_threads();
    }
    if (omp_test_lock(&simple)) twice = omp_test_lock(&simple);
    omp_unset_lock(&simple);
  }
#pragma omp target map(from : depth) map(tofrom : sum, simple_sum, other)
  {
    sum = total;
    simple_sum = plain;
    depth[0] = omp_test_nest_lock(&lock);
    depth[1] = omp_test_nest_lock(&lock);
#pragma omp parallel num_threads(64)
    if (omp_get_thread_num() == 1) other = omp_test_nest_lock(&lock);
    omp_unset_nest_lock(&lock);
    omp_unset_nest_lock(&lock);
    depth[2] = omp_test_nest_lock(&lock);
    omp_unset_nest_lock(&lock);
    omp_destroy_nest_lock(&lock);
    omp_destroy_lock(&simple);
  }
  printf("%d %d %d %d %d %d\n", sum, simple_sum, depth[0], depth[1], depth[2], other);
  return sum != 4 * 2 * 3 || simple_sum != 4 || depth[0] != 1 || depth[1] != 2 || depth[2] != 1 ||
         other != 0 || tries != threads || twice != 0;
}
