/* How many processors this process may use: sched_getaffinity and the cgroups' quota (quota.c). */
#define _GNU_SOURCE
#include "abi/kmpc/affinity/procs.h"
#include "abi/kmpc/affinity/quota.h"
#include "runtime/base/atomic.h"

#include <sched.h>
#include <string.h>
#include <unistd.h>

enum { MASK_BYTES = 8192 }; /* 65536 processors; the kernel tells how much it wrote */

static int32_t affinity_count(void) {
  union {
    cpu_set_t first; /* right type and alignment for the call */
    unsigned char bytes[MASK_BYTES];
  } mask;
  memset(&mask, 0, sizeof mask);
  if (sched_getaffinity(0, sizeof mask, &mask.first) != 0) {
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int32_t)online : 1;
  }
  int32_t count = 0;
  for (size_t i = 0; i < sizeof mask; i++) count += __builtin_popcount(mask.bytes[i]);
  return count > 0 ? count : 1;
}

int32_t solo_kmp_procs(void) {
  static _Atomic int32_t known;
  int32_t count = solo_load_relaxed(&known); /* a number that any thread may find again */
  if (count) return count;
  count = affinity_count();
  int32_t most = solo_kmp_quota();
  if (most < count) count = most;
  solo_store_relaxed(&known, count);
  return count;
}
