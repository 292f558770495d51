/* The unit tests' checks for programs. main ends with `return result();`, which prints nothing on
 * success, because tests compare the output. */
#ifndef CHECK_H
#define CHECK_H
#include "../unit/test.h"

static int result(void) {
  if (test_failures || !test_checks) printf("%d of %d checks failed\n", test_failures, test_checks);
  return test_failures || !test_checks;
}
#endif
