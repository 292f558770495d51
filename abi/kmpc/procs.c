/* How many processors this process may use: sched_getaffinity and the cgroup's CPU quota. */
#define _GNU_SOURCE
#include "abi/kmpc/icv.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
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

/* Reads a small file; false when there is none. */
static int read_small(const char *path, char *text, size_t room) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  ssize_t n = read(fd, text, room - 1);
  close(fd);
  if (n <= 0) return 0;
  text[n] = 0;
  return 1;
}

/* The quota in whole processors, rounded up; 0: none. Only the group that a container sees as its
 * root is looked at: the usual case, two files. */
static int32_t quota(void) {
  char text[64];
  long long limit = 0, period = 0;
  char *end;
  if (read_small("/sys/fs/cgroup/cpu.max", text, sizeof text)) {
    limit = strtoll(text, &end, 10); /* "max 100000" reads as 0 */
    if (end != text) period = strtoll(end, NULL, 10);
  } else if (read_small("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", text, sizeof text)) {
    limit = strtoll(text, NULL, 10);
    if (read_small("/sys/fs/cgroup/cpu/cpu.cfs_period_us", text, sizeof text))
      period = strtoll(text, NULL, 10);
  }
  if (limit <= 0 || period <= 0) return 0;
  return (int32_t)((limit + period - 1) / period);
}

int32_t solo_kmp_procs(void) {
  static _Atomic int32_t known;
  int32_t count = solo_load_relaxed(&known); /* a number that any thread may find again */
  if (count) return count;
  count = affinity_count();
  int32_t most = quota();
  if (most > 0 && most < count) count = most;
  solo_store_relaxed(&known, count);
  return count;
}
