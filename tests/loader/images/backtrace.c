/* Functions without frame pointers: unwinding needs the unwind tables of the image. */
#include "thing.h"

static void nothing(void *unused) {
  *(volatile int *)unused += 1;
}
__attribute__((noinline)) int inner_function(int depth) {
  int local = depth;
  if (depth == 0)
    thing_call(nothing, &local);
  else
    local += inner_function(depth - 1);
  return local;
}
int outer_kernel(void) {
  return inner_function(2) + 1;
}
