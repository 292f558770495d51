#include "abi/gomp/internal.h"

#include <string.h>

/* length SIZE_MAX: the text ends with a zero byte. */
static int length_of(const char *text, size_t length) {
  if (!text) return 0;
  return (int)(length == SIZE_MAX ? strlen(text) : length);
}

SOLO_EXPORT void GOMP_warning(const char *text, size_t length) {
  solo_kmp_warn("error directive: %.*s", length_of(text, length), text ? text : "");
}

SOLO_EXPORT void GOMP_error(const char *text, size_t length) {
  solo_kmp_fatal("error directive: %.*s", length_of(text, length), text ? text : "");
}
