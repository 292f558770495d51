/* Checks for unit tests. A test calls CHECK... in main(), which ends with `return TEST_RESULT();`.
 * Exit status: 0 passed, 1 failed, 77 skipped (TEST_SKIP). */
#ifndef SOLO_TEST_H
#define SOLO_TEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* weak: all source files of a test share the counters */
__attribute__((weak)) int test_failures, test_checks;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    test_checks++;                                                                                 \
    if (!(condition)) {                                                                            \
      test_failures++;                                                                             \
      printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                               \
    }                                                                                              \
  } while (0)

#define CHECK_INT(actual, expected)                                                                \
  do {                                                                                             \
    long long test_a_ = (long long)(actual), test_e_ = (long long)(expected);                      \
    test_checks++;                                                                                 \
    if (test_a_ != test_e_) {                                                                      \
      test_failures++;                                                                             \
      printf("%s:%d: failed: %s is %lld, expected %lld\n", __FILE__, __LINE__, #actual, test_a_,   \
             test_e_);                                                                             \
    }                                                                                              \
  } while (0)

#define CHECK_TEXT(actual, expected)                                                               \
  do {                                                                                             \
    const char *test_a_ = (actual), *test_e_ = (expected);                                         \
    test_checks++;                                                                                 \
    if (!test_a_ || strcmp(test_a_, test_e_) != 0) {                                               \
      test_failures++;                                                                             \
      printf("%s:%d: failed: %s is \"%s\", expected \"%s\"\n", __FILE__, __LINE__, #actual,        \
             test_a_ ? test_a_ : "(null)", test_e_);                                               \
    }                                                                                              \
  } while (0)

#define CHECK_HAS(text, part)                                                                      \
  do {                                                                                             \
    const char *test_a_ = (text), *test_e_ = (part);                                               \
    test_checks++;                                                                                 \
    if (!test_a_ || !strstr(test_a_, test_e_)) {                                                   \
      test_failures++;                                                                             \
      printf("%s:%d: failed: \"%s\" does not contain \"%s\"\n", __FILE__, __LINE__,                \
             test_a_ ? test_a_ : "(null)", test_e_);                                               \
    }                                                                                              \
  } while (0)

#define TEST_SKIP(reason)                                                                          \
  do {                                                                                             \
    printf("skipped: %s\n", reason);                                                               \
    exit(77);                                                                                      \
  } while (0)

/* A program without checks fails. */
#define TEST_RESULT()                                                                              \
  (printf("%d checks, %d failed\n", test_checks, test_failures), test_failures || !test_checks)

#endif
