/* printf for kernels: the caller supplies the arguments by callbacks. Output that exceeds the
 * buffer is cut. Threads: any. */
#ifndef SOLO_FORMAT_H
#define SOLO_FORMAT_H

#include <stddef.h>
#include <stdint.h>

typedef struct solo_format_arguments {
  uint64_t (*take)(void *context, unsigned bytes); /* next argument, 4 or 8 bytes */
  const char *(*text)(void *context);              /* next argument, a string */
  void *context;
} solo_format_arguments;

/* Writes at most size - 1 bytes and a 0; size >= 1. Returns the bytes written. *out_count receives
 * the number of conversions. */
size_t solo_format(char *out, size_t size, const char *format,
                   const solo_format_arguments *arguments, int32_t *out_count);

#endif
