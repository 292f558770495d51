/* The heap for malloc calls of kernels. Its device memory is allocated before the first kernel,
 * because a driver's allocation may wait for running kernels. solo_rpc_heap_end frees the list, not
 * the memory. */
#ifndef SOLO_RPC_HEAP_H
#define SOLO_RPC_HEAP_H

#include "runtime/backend.h"

typedef struct solo_rpc_block solo_rpc_block;

typedef struct solo_rpc_heap {
  solo_devptr memory;
  uint64_t bytes;
  solo_rpc_block *first; /* all blocks, ordered by address */
} solo_rpc_heap;

solo_devptr solo_rpc_heap_allocate(solo_rpc_heap *heap, uint64_t bytes);
void solo_rpc_heap_free(solo_rpc_heap *heap, solo_devptr address);
void solo_rpc_heap_end(solo_rpc_heap *heap);

#endif
