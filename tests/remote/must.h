/* MUST(call): if the call fails, prints the error's text and ends the program. */
#ifndef SOLO_TEST_REMOTE_MUST_H
#define SOLO_TEST_REMOTE_MUST_H

#include "runtime/base/status.h"

#include <stdio.h>
#include <stdlib.h>

static inline void must(solo_status status, const char *what) {
  if (status == SOLO_OK) return;
  printf("failed: %s: %s\n", what, solo_error_last()->text);
  exit(1);
}
#define MUST(call) must(call, #call)

#endif
