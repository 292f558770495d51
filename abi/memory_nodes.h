/* Pages on NUMA nodes, bound before their first use. Bit n of a mask is node n, up to 63. The
 * caller owns the pages. Failures: NULL or an errno value. */
#ifndef SOLO_ABI_MEMORY_NODES_H
#define SOLO_ABI_MEMORY_NODES_H

#include <stddef.h>
#include <stdint.h>

uint64_t solo_numa_nodes(void);
/* Converts a list such as "0-1,4" to a mask; 0: invalid. */
uint64_t solo_numa_list(const char *text);
uint64_t solo_numa_node_at(uint64_t nodes, int index);

size_t solo_pages_round(size_t bytes); /* returns 0 on overflow */
void *solo_pages_alloc(size_t bytes);
void solo_pages_free(void *address, size_t bytes);
int solo_pages_bind(void *address, size_t bytes, uint64_t nodes);

#endif
