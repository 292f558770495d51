/* For programs built by every compiler under test: the checks of unit tests. End main with `return result();`, which
 * says nothing when all is well: what programs print is compared. */
#ifndef CHECK_H
#define CHECK_H
#include "../unit/test.h"

static int result(void) {
  if (test_failures || !test_checks) printf("%d of %d checks failed\n", test_failures, test_checks);
  return test_failures || !test_checks;
}
#endif
