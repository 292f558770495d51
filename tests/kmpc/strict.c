/* Description: checks num_threads(strict: n): exactly n threads or a warning, and no effect on
 * later regions.
 * Env: OMP_THREAD_LIMIT=6
 * Flags: -fopenmp-version=60 */
#include "tests/unit/test.h"
#include <fcntl.h>
#include <omp.h>
#include <unistd.h>

/* Clang 22 emits this call; Clang 19 does not support the modifier. */
void __kmpc_push_num_threads_strict(void *loc, int gtid, int threads, int severity,
                                    const char *message);
static int size;

static void note(void) {
#pragma omp masked
  size = omp_get_num_threads();
}

static void strict(int wanted) {
#if __clang_major__ >= 22
#pragma omp parallel num_threads(strict : wanted) severity(warning) message("few")
#else
  __kmpc_push_num_threads_strict(NULL, 0, wanted, 1, "few");
#pragma omp parallel
#endif
  note();
}

/* Captures standard error. */
static int saved = -1, ends[2];
static void begin(void) {
  if (pipe(ends) != 0) exit(1);
  saved = dup(2);
  dup2(ends[1], 2);
}
static void end(char *text, size_t room) {
  dup2(saved, 2);
  close(saved);
  close(ends[1]);
  ssize_t n = read(ends[0], text, room - 1);
  text[n > 0 ? n : 0] = 0;
  close(ends[0]);
}

int main(void) {
  char text[1000];
  begin();
  strict(5);
  CHECK_INT(size, 5);
  strict(1);
  end(text, sizeof text);
  CHECK_INT(size, 1);
  CHECK_TEXT(text, "");
  begin();
  strict(9);
  end(text, sizeof text);
  CHECK(size >= 1 && size <= 6);
  CHECK(strstr(text, "few") && strstr(text, "not 9"));
  begin();
#pragma omp parallel num_threads(9)
  note();
  end(text, sizeof text);
  CHECK(!strstr(text, "few"));
  return TEST_RESULT();
}
