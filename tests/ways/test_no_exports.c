/* Description: solo.h loads CPU images that export nothing, linked by GNU ld and lld with each kind
 * of hash table. Constructors run; the search for a kernel returns NOT_FOUND. */
#define _GNU_SOURCE
#include "abi/include/solo.h"
#include "runtime/base/status.h"
#include "tests/unit/test.h"

#include <stdlib.h>

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    solo_registration *image = NULL;
    solo_kernel_handle *kernel;
    unsetenv("WAYS_NO_EXPORTS");
    CHECK_INT(solo_register_file(argv[i], NULL, NULL, &image), 0);
    CHECK_INT(solo_find_kernel(image, 0, "anything", &kernel), SOLO_NOT_FOUND);
    const char *found = getenv("WAYS_NO_EXPORTS");
    CHECK(found != NULL);
    if (found)
      CHECK_TEXT(found, "begun");
    else
      printf("%s: %s\n", argv[i], solo_error_last()->text);
    solo_unregister(image);
  }
  return TEST_RESULT();
}
