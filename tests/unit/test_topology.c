/* Description: checks cores, last-level caches, NUMA domains and sockets that are read from
 * simulated sysfs files, some of them incomplete. */
#define _GNU_SOURCE
#include "abi/kmpc/affinity/topology.h"
#include "tests/unit/test.h"
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/solo_topology_XXXXXX";

static void put(int cpu, const char *folders, const char *file, const char *text) {
  char path[256], *end;
  snprintf(path, sizeof path, "%s/cpu%d/%s/", root, cpu, folders);
  for (end = path + strlen(root) + 1; (end = strchr(end, '/')); *end++ = '/') {
    *end = 0;
    mkdir(path, 0700);
  }
  if (!file) return;
  snprintf(path, sizeof path, "%s/cpu%d/%s/%s", root, cpu, folders, file);
  FILE *out = fopen(path, "w");
  CHECK(out != NULL);
  if (!out) return;
  fprintf(out, "%s\n", text);
  fclose(out);
}

static void cache(int cpu, int index, const char *level, const char *shared) {
  char folder[40];
  snprintf(folder, sizeof folder, "cache/index%d", index);
  put(cpu, folder, "level", level);
  if (shared) put(cpu, folder, "shared_cpu_list", shared);
}

/* Returns the group of each processor from 0 to cpus - 1 as a letter: "aabb". */
static const char *groups(kmpc_unit unit, int cpus) {
  static char out[64];
  static int32_t key[KMPC_CPUS];
  int letters = 0;
  kmpc_mask mask = {{0}};
  for (int cpu = 0; cpu < cpus; cpu++) solo_kmp_mask_add(&mask, cpu);
  solo_kmp_topology(root, unit, &mask, key);
  for (int cpu = 0; cpu < cpus; cpu++) {
    int first = 0;
    while (key[first] != key[cpu]) first++;
    out[cpu] = first < cpu ? out[first] : (char)('a' + letters++);
  }
  out[cpus] = 0;
  return out;
}

static void clean(void) {
  char command[80];
  snprintf(command, sizeof command, "rm -rf %s", root);
  CHECK_INT(system(command), 0);
}

/* 2 sockets, 4 cores, 8 threads; 3 caches, 4 NUMA domains. */
static void make_machine(void) {
  static const char *const siblings[] = {"0,4", "1,5", "2,6", "3,7"};
  static const char *const low[] = {"0,4", "1,5", "2,6", "3,7"};
  static const char *const last[] = {"0-1,4-5", "0-1,4-5", "2,6", "3,7"};
  for (int cpu = 0; cpu < 8; cpu++) {
    char node[20];
    put(cpu, "topology", "physical_package_id", cpu % 4 < 2 ? "0" : "1");
    put(cpu, "topology", "thread_siblings_list", siblings[cpu % 4]);
    cache(cpu, 0, "1", low[cpu % 4]);
    cache(cpu, 1, "1", low[cpu % 4]);
    /* the cache of the highest level, which is not the last index */
    cache(cpu, 2, "3", last[cpu % 4]);
    cache(cpu, 3, "2", low[cpu % 4]);
    snprintf(node, sizeof node, "node%d", cpu % 4 * 11);
    put(cpu, node, NULL, NULL);
  }
}

int main(void) {
  if (!mkdtemp(root)) TEST_SKIP("no folder for files");
  CHECK_TEXT(groups(KMPC_UNIT_THREAD, 3), "abc");
  /* without files: one core per processor, one group for each other unit */
  CHECK_TEXT(groups(KMPC_UNIT_CORE, 3), "abc");
  CHECK_TEXT(groups(KMPC_UNIT_CACHE, 3), "aaa");
  CHECK_TEXT(groups(KMPC_UNIT_NUMA, 3), "aaa");
  CHECK_TEXT(groups(KMPC_UNIT_SOCKET, 3), "aaa");
  make_machine();
  CHECK_TEXT(groups(KMPC_UNIT_THREAD, 8), "abcdefgh");
  CHECK_TEXT(groups(KMPC_UNIT_CORE, 8), "abcdabcd");
  CHECK_TEXT(groups(KMPC_UNIT_CACHE, 8), "aabcaabc");
  CHECK_TEXT(groups(KMPC_UNIT_NUMA, 8), "abcdabcd");
  CHECK_TEXT(groups(KMPC_UNIT_SOCKET, 8), "aabbaabb");
  cache(3, 4, "4", NULL); /* the last level is incomplete: groups by socket */
  CHECK_TEXT(groups(KMPC_UNIT_CACHE, 8), "aabbaabb");
  CHECK_TEXT(groups(KMPC_UNIT_CACHE, 3), "aab"); /* only the processors of the mask count */
  /* processor 8 has no NUMA node: groups by socket */
  put(8, "topology", "physical_package_id", "1");
  CHECK_TEXT(groups(KMPC_UNIT_NUMA, 9), "aabbaabbb");
  CHECK_TEXT(groups(KMPC_UNIT_CORE, 9), "abcdabcde");
  clean();
  return TEST_RESULT();
}
