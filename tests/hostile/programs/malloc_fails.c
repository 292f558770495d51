/* Makes the n-th allocation fail: the result must be right, or a message must appear. */
#include "tests/hostile/programs/hostile.h"
#include <sys/syscall.h>
static long at = -1, n, hit;
void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
int __real_posix_memalign(void **, size_t, size_t);
void *__real_aligned_alloc(size_t, size_t);
static int fails(void) {
  return at >= 0 && __atomic_fetch_add(&n, 1, __ATOMIC_RELAXED) == at && (hit = 1);
}
void *__wrap_malloc(size_t s) {
  return fails() ? 0 : __real_malloc(s);
}
void *__wrap_calloc(size_t a, size_t s) {
  return fails() ? 0 : __real_calloc(a, s);
}
void *__wrap_realloc(void *p, size_t s) {
  return fails() ? 0 : __real_realloc(p, s);
}
void *__wrap_aligned_alloc(size_t a, size_t s) {
  return fails() ? 0 : __real_aligned_alloc(a, s);
}
int __wrap_posix_memalign(void **p, size_t a, size_t s) {
  return fails() ? ENOMEM : __real_posix_memalign(p, a, s);
}
static int work(void) {
  int w = region(1) != 2;
  w += loop();
  w += team() < 1;
  int a[100] = {0}, s = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int i = 0; i < 100; i++) {
#pragma omp task depend(inout : a[i % 3]) shared(a)
    a[i]++;
  }
  for (int i = 0; i < 100; i++) s += a[i];
#pragma omp target enter data map(to : a) nowait depend(out : a)
#pragma omp target map(tofrom : a) nowait depend(inout : a)
  a[5]++;
#pragma omp target exit data map(from : a) depend(inout : a)
#pragma omp taskwait
  return w + (s != 100) * 10 + (a[5] != 2) * 100;
}
int main(void) {
  int bad = 0, reported = 0, right = 0;
  for (long i = 0; i < 400; i++) {
    fflush(0);
    int p[2];
    char text[300] = {0};
    pipe(p);
    pid_t pid = fork();
    if (!pid) {
      alarm(20);
      dup2(p[1], 2);
      close(p[0]);
      at = i;
      int w = work();
      at = -1;
      _exit(w ? 50 : hit ? 0 : 60);
    }
    close(p[1]);
    int st;
    ssize_t got = 0, k;
    while ((k = read(p[0], text + got, 299 - got)) > 0) got += k;
    close(p[0]);
    waitpid(pid, &st, 0);
    if (WIFEXITED(st) && WEXITSTATUS(st) == 60) break;
    if (st == 0)
      right++;
    else if ((WIFEXITED(st) && WEXITSTATUS(st) != 50) && got > 5)
      reported++;
    else if (WIFSIGNALED(st) && WTERMSIG(st) == SIGABRT && got > 5)
      reported++;
    else {
      bad++;
      fprintf(stderr, "allocation %ld: status %x '%s'\n", i, st, text);
    }
  }
  fprintf(stderr, "right %d reported %d bad %d\n", right, reported, bad);
  printf("%d\n", bad);
  return bad != 0;
}
