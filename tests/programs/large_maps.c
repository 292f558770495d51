/* Description: checks that a CPU device reuses the memory of large arrays without page faults, and
 * that it caches a bounded amount. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { ROUNDS = 40, LARGE = 2 << 20, HUGE_BLOCK = 24 << 20, BLOCKS = 12, STAYS = 5 };

static long faults(void) {
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  return use.ru_minflt;
}

static long resident_kib(void) {
  long pages = 0, all = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (!f || fscanf(f, "%ld %ld", &all, &pages) != 2) pages = 0;
  if (f) fclose(f);
  return pages * 4;
}

int main(void) {
  char *x = calloc(LARGE, 1);
  if (!x) return 1;
  for (int i = 0; i < 3; i++) {
#pragma omp target map(tofrom : x [0:LARGE])
    x[i]++;
  }
  long before = faults();
  for (int i = 0; i < ROUNDS; i++) {
#pragma omp target map(tofrom : x [0:LARGE])
    x[i % 3]++;
  }
  long more = faults() - before;
  char *block[BLOCKS];
  for (int i = 0; i < BLOCKS; i++) {
    /* calloc of untouched pages: the host's block occupies no memory */
    char *p = block[i] = calloc(HUGE_BLOCK, 1);
    if (!p) return 1;
#pragma omp target enter data map(to : p [0:HUGE_BLOCK])
  }
  /* this block is deleted last; the neighbouring blocks are freed before */
  char *stays = block[STAYS];
#pragma omp target map(present, alloc : stays [0:HUGE_BLOCK])
  stays[0] = stays[HUGE_BLOCK / 2] = stays[HUGE_BLOCK - 1] = 7;
  for (int i = 0; i < BLOCKS; i++) {
    char *p = block[i];
    if (i == STAYS) continue;
#pragma omp target exit data map(delete : p [0:HUGE_BLOCK])
    free(p);
  }
  int sum = 0;
#pragma omp target map(present, alloc : stays [0:HUGE_BLOCK]) map(tofrom : sum)
  sum = stays[0] + stays[HUGE_BLOCK / 2] + stays[HUGE_BLOCK - 1];
#pragma omp target exit data map(delete : stays [0:HUGE_BLOCK])
  free(stays);
  if (sum != 3 * 7) printf("the remaining block has wrong data: sum %d\n", sum);
  long kept = resident_kib();
  if (more > ROUNDS * 50) printf("%ld page faults in %d regions\n", more, ROUNDS);
  if (kept > 160 << 10) printf("%ld KiB are resident after all deletions\n", kept);
  return more > ROUNDS * 50 || kept > 160 << 10 || sum != 3 * 7;
}
