/* printf of a format and arguments that are not of this process's C: those of a kernel.
 *
 * Threads: any. Errors: none; what does not fit is cut off. Units: bytes.
 */
#ifndef SOLO_FORMAT_H
#define SOLO_FORMAT_H

#include <stddef.h>
#include <stdint.h>

typedef struct solo_format_arguments {
  uint64_t (*take)(void *context, unsigned bytes); /* the next argument, of 4 or 8 bytes */
  const char *(*text)(void *context);              /* the next argument, where it is a string */
  void *context;
} solo_format_arguments;

/* Writes at most size - 1 bytes and a 0, size >= 1. Returns the number of bytes written; *out_count:
 * of conversions. */
size_t solo_format(char *out, size_t size, const char *format,
                   const solo_format_arguments *arguments, int32_t *out_count);

#endif
