/* omp_* functions with strings, which omp_lib of flang 22 does not bind to C. The lengths of the
 * strings follow the arguments, by value. Strings have no terminator; results are padded with
 * blanks. Without memory the functions do nothing. */
#define _POSIX_C_SOURCE 200809L
#include "abi/include/omp.h"
#include "runtime/base/platform.h"
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

static void fill(char *text, size_t length, const char *from, size_t bytes) {
  size_t n = bytes < length ? bytes : length;
  memcpy(text, from, n);
  memset(text + n, ' ', length - n);
}

SOLO_EXPORT void omp_set_affinity_format_(const char *format, size_t length) {
  char *copy = strndup(format, length);
  if (copy) omp_set_affinity_format(copy);
  free(copy);
}

SOLO_EXPORT size_t omp_get_affinity_format_(char *buffer, size_t length) {
  size_t bytes = omp_get_affinity_format(NULL, 0);
  char *text = malloc(bytes + 1);
  if (!text) return 0;
  bytes = omp_get_affinity_format(text, bytes + 1);
  fill(buffer, length, text, bytes);
  free(text);
  return bytes;
}

SOLO_EXPORT void omp_display_affinity_(const char *format, size_t length) {
  char *copy = strndup(format, length);
  if (copy) omp_display_affinity(copy);
  free(copy);
}

SOLO_EXPORT size_t omp_capture_affinity_(char *buffer, const char *format, size_t buffer_length,
                                         size_t format_length) {
  char *copy = strndup(format, format_length);
  size_t bytes = copy ? omp_capture_affinity(NULL, 0, copy) : 0;
  char *text = copy ? malloc(bytes + 1) : NULL;
  if (text) {
    bytes = omp_capture_affinity(text, bytes + 1, copy);
    fill(buffer, buffer_length, text, bytes);
  }
  free(text);
  free(copy);
  return text ? bytes : 0;
}

SOLO_EXPORT omp_allocator_handle_t omp_init_allocator_(const omp_memspace_handle_t *space,
                                                       const int *count,
                                                       omp_alloctrait_t traits[]) {
  return omp_init_allocator(*space, *count, traits);
}
