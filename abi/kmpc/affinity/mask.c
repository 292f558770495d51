#define _GNU_SOURCE
#include "abi/kmpc/affinity/mask.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

int solo_kmp_mask_get(kmpc_mask *mask) {
  memset(mask, 0, sizeof *mask);
  return sched_getaffinity(0, sizeof *mask, (cpu_set_t *)(void *)mask);
}

int solo_kmp_mask_set(const kmpc_mask *mask) {
  return sched_setaffinity(0, sizeof *mask, (const cpu_set_t *)(const void *)mask);
}

int solo_kmp_mask_count(const kmpc_mask *mask) {
  int count = 0;
  for (size_t i = 0; i < KMPC_CPUS / 64; i++) count += __builtin_popcountll(mask->bits[i]);
  return count;
}

size_t solo_kmp_mask_text(const kmpc_mask *mask, char *text, size_t size) {
  size_t used = 0;
  if (size) *text = 0;
  for (int cpu = 0; cpu < KMPC_CPUS; cpu++) {
    if (!solo_kmp_mask_has(mask, cpu)) continue;
    int end = cpu;
    while (solo_kmp_mask_has(mask, end + 1)) end++;
    char part[32];
    if (end == cpu + 1) end = cpu; /* prints two processors as "0,1", as libomp does */
    int n = end > cpu ? snprintf(part, sizeof part, "%s%d-%d", used ? "," : "", cpu, end)
                      : snprintf(part, sizeof part, "%s%d", used ? "," : "", cpu);
    if (used + (size_t)n < size) memcpy(text + used, part, (size_t)n + 1);
    used += (size_t)n;
    cpu = end;
  }
  return used;
}
