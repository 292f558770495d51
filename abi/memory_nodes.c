#define _GNU_SOURCE
#include "abi/memory_nodes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NODES = 64, BIND = 2 /* MPOL_BIND */ };

uint64_t solo_numa_list(const char *text) {
  uint64_t nodes = 0;
  while (*text && *text != '\n') {
    char *end;
    unsigned long first = strtoul(text, &end, 10), last = first;
    if (end == text) return 0;
    if (*end == '-') {
      text = end + 1;
      last = strtoul(text, &end, 10);
      if (end == text || last < first) return 0;
    }
    for (unsigned long n = first; n <= last && n < NODES; n++) nodes |= (uint64_t)1 << n;
    if (*end != ',' && *end != '\n' && *end) return 0;
    text = *end == ',' ? end + 1 : end;
  }
  return nodes;
}

uint64_t solo_numa_nodes(void) {
  char text[512] = "";
  FILE *file = fopen("/sys/devices/system/node/has_memory", "re");
  if (file) {
    if (!fgets(text, sizeof text, file)) text[0] = 0;
    (void)fclose(file);
  }
  uint64_t nodes = solo_numa_list(text);
  return nodes ? nodes : 1;
}

uint64_t solo_numa_node_at(uint64_t nodes, int index) {
  while (index-- > 0) nodes &= nodes - 1;
  return nodes & -nodes;
}

size_t solo_pages_round(size_t bytes) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  return bytes > SIZE_MAX - page ? 0 : (bytes + page - 1) / page * page;
}

void *solo_pages_alloc(size_t bytes) {
  size_t size = solo_pages_round(bytes);
  if (!size) return NULL;
  void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? NULL : pages;
}

void solo_pages_free(void *address, size_t bytes) {
  if (address) munmap(address, solo_pages_round(bytes));
}

int solo_pages_bind(void *address, size_t bytes, uint64_t nodes) {
  if (nodes == solo_numa_nodes()) return 0;
  unsigned long mask[NODES / (8 * sizeof(unsigned long))] = {(unsigned long)nodes};
  /* NODES + 1, because Linux ignores the last bit */
  long result = syscall(SYS_mbind, address, solo_pages_round(bytes), BIND, mask, NODES + 1, 0);
  return result == 0 ? 0 : errno;
}
