/* Allocations by address: a treap with a hash of the address as priority (Seidel and Aragon, 1996). Blocks do not overlap.
 * The caller holds ol_lock. */
#ifndef SOLO_ABI_OFFLOAD_BLOCK_TREE_H
#define SOLO_ABI_OFFLOAD_BLOCK_TREE_H

#include "abi/offload/internal.h"

typedef struct ol_block {
  struct ol_block *left, *right;
  uintptr_t begin;
  size_t bytes;
  ol_device *on;
  ol_alloc_type_t type;
} ol_block;

/* Returns the block that contains the address; NULL: none. */
ol_block *ol_block_find(ol_block *root, uintptr_t address);
/* Returns whether a block of the tree shares bytes with [begin, begin + bytes). */
int ol_block_overlaps(const ol_block *root, uintptr_t begin, size_t bytes);
void ol_block_insert(ol_block **root, ol_block *block);
void ol_block_remove(ol_block **root, const ol_block *block);

#endif
