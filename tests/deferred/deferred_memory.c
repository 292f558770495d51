/* The arena of device memory, which is accessible only while work runs. */
#define _GNU_SOURCE
#include "tests/deferred/deferred_device.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGN = 256, FRESH = 0xab, FREED = 0xcd };

typedef struct block {
  struct block *next;
  uint64_t address, bytes;
  int used;
} block;

static char *arena;
static uint64_t arena_used;
static block *blocks; /* the blocks; solo_deferred_lock guards all state of this file */

void solo_deferred_expose(void) {
  if (arena) mprotect(arena, DEFERRED_ARENA, PROT_READ | PROT_WRITE);
}

void solo_deferred_hide(void) {
  if (arena) mprotect(arena, DEFERRED_ARENA, PROT_NONE);
}

static block *find_free(uint64_t bytes) {
  for (block *b = blocks; b; b = b->next)
    if (!b->used && b->bytes == bytes) return b;
  return NULL;
}

static block *cut(uint64_t bytes) {
  if (!arena) {
    void *memory =
        mmap(NULL, DEFERRED_ARENA, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    arena = memory;
  }
  if (bytes > DEFERRED_ARENA - arena_used) return NULL;
  block *b = calloc(1, sizeof *b);
  if (!b) return NULL;
  b->address = (uintptr_t)arena + arena_used;
  b->bytes = bytes;
  arena_used += bytes;
  b->next = blocks;
  blocks = b;
  return b;
}

static void poison(const block *b, int value) {
  solo_deferred_expose();
  memset((void *)b->address, value, b->bytes);
  solo_deferred_hide();
}

solo_status solo_deferred_mem_alloc(solo_bdevice *device, uint64_t bytes, solo_memory_kind kind,
                                    solo_devptr *out) {
  (void)device;
  if (kind != SOLO_MEMORY_DEVICE)
    return solo_fail(SOLO_UNSUPPORTED, "deferred: device memory only");
  if (solo_deferred_fails()) return solo_fail(SOLO_DEVICE_NOMEM, "deferred: made to fail");
  bytes = (bytes + ALIGN - 1) & ~(uint64_t)(ALIGN - 1);
  solo_lock_acquire(&solo_deferred_lock);
  block *b = find_free(bytes);
  if (!b) b = cut(bytes);
  if (b) {
    b->used = 1;
    poison(b, FRESH);
    solo_deferred_state.blocks++;
    solo_deferred_state.allocations++;
    *out = b->address;
  }
  solo_lock_release(&solo_deferred_lock);
  return b ? SOLO_OK : solo_fail(SOLO_DEVICE_NOMEM, "deferred: the arena is full");
}

solo_status solo_deferred_mem_free(solo_bdevice *device, solo_devptr address,
                                   solo_memory_kind kind) {
  (void)device;
  (void)kind;
  solo_lock_acquire(&solo_deferred_lock);
  block *b = blocks;
  while (b && !(b->address == address && b->used)) b = b->next;
  if (b) {
    b->used = 0;
    poison(b, FREED);
    solo_deferred_state.blocks--;
  }
  solo_lock_release(&solo_deferred_lock);
  return b ? SOLO_OK : solo_fail(SOLO_INVALID, "deferred: %p is no block", (void *)address);
}
