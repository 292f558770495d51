/* Checks of the tests with GCC's objects. Each file defines the function that TEST names. */
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
