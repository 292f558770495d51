#include "runtime/base/assert.h"

#ifdef SOLO_CHECK
#include <stdio.h>
#include <stdlib.h>

void solo_assert_failed(const char *condition, const char *what, const char *file, int line) {
  fprintf(stderr, "solo: broken invariant: %s (%s, %s:%d)\n", what, condition, file, line);
  fflush(stderr);
  abort();
}
#else
typedef int solo_assert_is_off;
#endif
