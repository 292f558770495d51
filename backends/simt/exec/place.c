/* Source lines for reports. Passes the thread's code address and the return addresses of its frames to
 * addr2line. Uses the first result with a line, because LLVM's device runtime has no line information. */
#define _GNU_SOURCE
#include "backends/simt/exec/internal.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 24, COMMAND = 1024 };

static int add(const simt_launch *l, char *command, size_t *used, uintptr_t address) {
  if (address - l->image_at >= l->image_bytes || *used > COMMAND - 32) return 0;
  /* minus 1: an address in the call instruction, not the return address after it */
  *used += (size_t)snprintf(command + *used, COMMAND - *used, " 0x%llx",
                            (unsigned long long)(address - l->image_at - 1));
  return 1;
}

static int run_command(const char *command, char *out, size_t size) {
  char line[512];
  int found = 0;
  FILE *answer = popen(command, "r");
  while (answer && fgets(line, sizeof line, answer)) {
    size_t n = strcspn(line, " \n");
    line[n] = 0;
    if (found || line[0] == '?' || strstr(line, ":0") == line + n - 2 || strstr(line, ":?"))
      continue;
    snprintf(out, size, "%s", line);
    found = 1;
  }
  if (answer) pclose(answer);
  return found;
}

int simt_place_of(const simt_block *block, const void *site, char *out, size_t size) {
  char command[COMMAND];
  if (!block->launch->image) return 0;
  size_t used = (size_t)snprintf(command, sizeof command, "addr2line 2>/dev/null -e %s",
                                 block->launch->image);
  return add(block->launch, command, &used, (uintptr_t)site) && run_command(command, out, size);
}

int simt_place(const simt_block *block, const simt_thread *t, char *out, size_t size) {
  const simt_launch *l = block->launch;
  char command[COMMAND];
  if (!l->image) return 0;
  size_t used = (size_t)snprintf(command, sizeof command, "addr2line 2>/dev/null -e %s", l->image);
  int count = add(l, command, &used, (uintptr_t)t->site);
  const char *end = block->stacks + (t->place + 1) * block->stack_bytes;
  const char *low = end - block->stack_bytes + SIMT_GUARD;
  struct {
    const char *caller;
    uintptr_t site;
  } frame;
  for (const char *at = t->frame; count < MOST && at >= low && at <= end - sizeof frame;
       at = frame.caller) {
    memcpy(&frame, at, sizeof frame);
    count += add(l, command, &used, frame.site);
    if (frame.caller <= at) break;
  }
  return count && run_command(command, out, size);
}
