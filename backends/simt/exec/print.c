/* printf of device code. Arguments are aligned to their size (CUDA C++ Programming Guide,
 * "Formatted Output"). */
#include "backends/simt/exec/internal.h"

#include "runtime/base/format.h"
#include <stdio.h>
#include <string.h>

enum { LINE = 4096 };

static uint64_t next_argument(void *context, unsigned bytes) {
  const char **next = context;
  uint64_t value = 0;
  uintptr_t at = ((uintptr_t)*next + bytes - 1) / bytes * bytes;
  memcpy(&value, (const void *)at, bytes);
  *next = (const char *)at + bytes;
  return value;
}

static const char *text(void *context) {
  return (const char *)(uintptr_t)next_argument(context, 8);
}

int32_t simt_print(const char *format, const void *packed) {
  char line[LINE];
  int32_t count;
  const char *next = packed;
  const solo_format_arguments arguments = {next_argument, text, &next};
  size_t used = solo_format(line, sizeof line, format, &arguments, &count);
  const simt_launch *launch = simt_current_block->launch;
  if (launch->print)
    launch->print(line, used);
  else
    fwrite(line, 1, used, stdout);
  return count;
}
