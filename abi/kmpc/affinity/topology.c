/* Reads cores, caches, NUMA domains and sockets from sysfs. The key of a core or cache is the
 * lowest number in its list of processors. */
#define _GNU_SOURCE
#include "abi/kmpc/affinity/topology.h"
#include "abi/kmpc/affinity/quota.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PATH_BYTES = 512, NODES_MAX = 1024 };

static int32_t number_in(const char *root, int cpu, const char *file) {
  char path[PATH_BYTES];
  char text[16];
  snprintf(path, sizeof path, "%s/cpu%d/%s", root, cpu, file);
  if (!solo_kmp_read_small(path, text, sizeof text)) return -1;
  char *end;
  long value = strtol(text, &end, 10);
  return end == text || value < 0 || value > INT32_MAX ? -1 : (int32_t)value;
}

static int32_t core_of(const char *root, int cpu) {
  int32_t first = number_in(root, cpu, "topology/thread_siblings_list");
  return first < 0 ? cpu : first;
}

static int32_t cache_of(const char *root, int cpu) {
  int32_t highest = 0, found = -1;
  for (int index = 0;; index++) {
    char file[48];
    snprintf(file, sizeof file, "cache/index%d/level", index);
    int32_t level = number_in(root, cpu, file);
    if (level < 0) return found;
    if (level <= highest) continue;
    highest = level;
    snprintf(file, sizeof file, "cache/index%d/shared_cpu_list", index);
    found = number_in(root, cpu, file);
  }
}

static int32_t node_of(const char *root, int cpu, int32_t near) {
  for (int32_t i = -1; i < NODES_MAX; i++) {
    char path[PATH_BYTES];
    int32_t node = i < 0 ? near : i;
    snprintf(path, sizeof path, "%s/cpu%d/node%d", root, cpu, (int)node);
    if (access(path, F_OK) == 0) return node;
  }
  return -1;
}

static int read_shared(const char *root, kmpc_unit unit, const kmpc_mask *cpus, int32_t *key) {
  int32_t near = 0;
  for (int cpu = 0; cpu < KMPC_CPUS; cpu++) {
    if (!solo_kmp_mask_has(cpus, cpu)) continue;
    key[cpu] = unit == KMPC_UNIT_CACHE ? cache_of(root, cpu) : node_of(root, cpu, near);
    if (key[cpu] < 0) return 0;
    near = key[cpu];
  }
  return 1;
}

void solo_kmp_topology(const char *root, kmpc_unit unit, const kmpc_mask *cpus,
                       int32_t key[KMPC_CPUS]) {
  if ((unit == KMPC_UNIT_CACHE || unit == KMPC_UNIT_NUMA) && read_shared(root, unit, cpus, key))
    return;
  for (int cpu = 0; cpu < KMPC_CPUS; cpu++) {
    if (!solo_kmp_mask_has(cpus, cpu)) continue;
    if (unit == KMPC_UNIT_THREAD)
      key[cpu] = cpu;
    else if (unit == KMPC_UNIT_CORE)
      key[cpu] = core_of(root, cpu);
    else
      key[cpu] = number_in(root, cpu, "topology/physical_package_id");
  }
}
