/* Memory on NUMA nodes: whole pages, bound before they are first touched. A mask has a bit for each
 * node; nodes from the 64th on have no bit of their own.
 *
 * Ownership: pages belong to the caller. Threads: any. Errors: NULL, or an errno value; 0: done.
 */
#ifndef SOLO_ABI_MEMORY_NODES_H
#define SOLO_ABI_MEMORY_NODES_H

#include <stddef.h>
#include <stdint.h>

/* The nodes that have memory, as Linux says; node 0 where it says nothing. */
uint64_t solo_numa_nodes(void);
/* "0-1,4" as a mask; 0: it is no such list. */
uint64_t solo_numa_list(const char *text);
/* The index-th node of the mask, as a mask. */
uint64_t solo_numa_node_at(uint64_t nodes, int index);

size_t solo_pages_round(size_t bytes); /* up to whole pages; 0: too many */
void *solo_pages_alloc(size_t bytes);
void solo_pages_free(void *address, size_t bytes);
/* Nothing is to be done where the machine has no other nodes. */
int solo_pages_bind(void *address, size_t bytes, uint64_t nodes);

#endif
