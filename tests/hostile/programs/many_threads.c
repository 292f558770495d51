/* 10,000 successive threads with one region each leak neither memory nor threads. */
#include "tests/hostile/programs/hostile.h"
static int w;
static long rss(void) {
  long a = 0, b = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (f) {
    fscanf(f, "%ld %ld", &a, &b);
    fclose(f);
  }
  return b * 4;
}
static int threads(void) {
  char l[100];
  int n = 0;
  FILE *f = fopen("/proc/self/status", "r");
  while (fgets(l, 100, f)) sscanf(l, "Threads: %d", &n);
  fclose(f);
  return n;
}
static void *one(void *u) {
  w += region(1) != 2;
  if ((long)u % 20 == 0) {
    int s = 0;
#pragma omp parallel num_threads(2) reduction(+ : s)
    s++;
    w += s < 1;
  }
  return u;
}
int main(void) {
  long r0 = 0;
  for (long i = 0; i < 10000; i++) {
    pthread_t t;
    if (pthread_create(&t, 0, one, (void *)i)) return 9;
    pthread_join(t, 0);
    if (i == 1000) r0 = rss();
  }
  long grown = rss() - r0;
  printf("%d wrong, grown %ld KiB, threads %d\n", w, grown, threads());
  return w || grown > 20000 || threads() > 40;
}
