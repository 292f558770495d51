#include "abi/kmpc/env/icv.h"

#include <sys/resource.h>

enum {
  LEAST_STACK = 4 << 20, /* minimum of the default, because musl's default is too small */
  MOST_STACK = 64 << 20
};

size_t solo_kmp_stack_size(const kmpc_config *config) {
  struct rlimit limit = {LEAST_STACK, 0};
  size_t setting = (size_t)solo_load_relaxed(&config->stack_size); /* relaxed: a setting */
  if (setting) return setting;
  (void)getrlimit(RLIMIT_STACK, &limit);
  if (limit.rlim_cur < LEAST_STACK) return LEAST_STACK;
  return limit.rlim_cur < MOST_STACK ? (size_t)limit.rlim_cur : (size_t)MOST_STACK;
}
