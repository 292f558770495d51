/* For programs built by every compiler under test: checks that print both sides. End main with
 * `return result();`. */
#ifndef CHECK_H
#define CHECK_H
#include <stdio.h>

static int failures, checks;

#define CHECK(actual, expected)                                                                    \
  do {                                                                                             \
    long long a_ = (long long)(actual), e_ = (long long)(expected);                                \
    checks++;                                                                                      \
    if (a_ != e_) {                                                                                \
      failures++;                                                                                  \
      printf("%s:%d: %s is %lld, expected %lld\n", __FILE__, __LINE__, #actual, a_, e_);           \
    }                                                                                              \
  } while (0)

static int result(void) {
  if (failures || !checks) printf("%d of %d checks failed\n", failures, checks);
  return failures || !checks;
}
#endif
