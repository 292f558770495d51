#include "abi/kmpc/affinity/procs.h"
#include "abi/kmpc/affinity/quota.h"
#include "runtime/base/atomic.h"

int32_t solo_kmp_procs(void) {
  static _Atomic int32_t known;
  int32_t count = solo_load_relaxed(&known); /* relaxed: each thread computes the same number */
  if (count) return count;
  count = (int32_t)solo_usable_cpus();
  int32_t most = solo_kmp_quota();
  if (most < count) count = most;
  solo_store_relaxed(&known, count);
  return count;
}
