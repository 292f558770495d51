/* Checks of the sources that GCC compiles. Each source defines the function TEST, which returns the
 * number of failed checks. */
#ifndef SOLO_TESTS_GCC_CHECK_H
#define SOLO_TESTS_GCC_CHECK_H

#include <stdio.h>

static int failures;
#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      _Pragma("omp atomic") failures++;                                                            \
      printf("failed: %s:%d: %s\n", __FILE__, __LINE__, #condition);                               \
    }                                                                                              \
  } while (0)

#endif
