#include "runtime/device/rpc_heap.h"

#include <stdlib.h>

enum { ALIGNMENT = 16 };

struct solo_rpc_block {
  solo_rpc_block *next;
  solo_devptr address;
  uint64_t bytes;
  int used;
};

static solo_rpc_block *block_of(solo_rpc_block *next, solo_devptr address, uint64_t bytes) {
  solo_rpc_block *block = malloc(sizeof *block);
  if (block) *block = (solo_rpc_block){.next = next, .address = address, .bytes = bytes};
  return block;
}

solo_devptr solo_rpc_heap_allocate(solo_rpc_heap *heap, uint64_t bytes) {
  if (bytes > heap->bytes) return 0;
  bytes = bytes ? (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : ALIGNMENT;
  if (!heap->first) heap->first = block_of(NULL, heap->memory, heap->bytes);
  solo_rpc_block *block = heap->first;
  while (block && (block->used || block->bytes < bytes)) block = block->next;
  if (!block) return 0;
  if (block->bytes > bytes) {
    solo_rpc_block *rest = block_of(block->next, block->address + bytes, block->bytes - bytes);
    if (!rest) return 0;
    block->next = rest;
    block->bytes = bytes;
  }
  block->used = 1;
  return block->address;
}

void solo_rpc_heap_free(solo_rpc_heap *heap, solo_devptr address) {
  solo_rpc_block *before = NULL, *block = heap->first;
  while (block && block->address != address) before = block, block = block->next;
  if (!block) return;
  block->used = 0;
  if (!before || before->used) before = block;
  while (before->next && !before->next->used) { /* merges free neighbours */
    solo_rpc_block *next = before->next;
    before->bytes += next->bytes;
    before->next = next->next;
    free(next);
  }
}

void solo_rpc_heap_end(solo_rpc_heap *heap) {
  while (heap->first) {
    solo_rpc_block *next = heap->first->next;
    free(heap->first);
    heap->first = next;
  }
}
