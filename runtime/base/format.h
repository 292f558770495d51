/* printf for kernels. Callbacks supply the arguments. Threads: any. */
#ifndef SOLO_FORMAT_H
#define SOLO_FORMAT_H

#include <stddef.h>
#include <stdint.h>

typedef struct solo_format_arguments {
  uint64_t (*next)(void *context, unsigned bytes);
  const char *(*text)(void *context);
  void *context;
} solo_format_arguments;

/* Writes at most size - 1 bytes and a 0; size >= 1. Returns the number of bytes. *out_count
 * receives the number of conversions. */
size_t solo_format(char *out, size_t size, const char *format,
                   const solo_format_arguments *arguments, int32_t *out_count);

#endif
