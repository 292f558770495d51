/* The happens-before order, as vector clocks: one component per thread of the block, and one for
 * all other blocks. Barriers and warp operations join the clocks of their threads. Atomic
 * operations and fences transfer clocks as in C11. */
#include "backends/simt/exec/internal.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES = 1024 };

typedef struct place {
  uint64_t address, grid, block;
  uint64_t *left; /* clock that the releases to this address have published */
} place;

/* clocks of the block that this host thread runs */
static _Thread_local uint64_t *clocks;
static _Thread_local size_t clock_count;
static _Thread_local place *places;
static _Thread_local uint64_t now;

uint64_t simt_order_tick(void) {
  return ++now;
}

static size_t width(const simt_block *block) {
  return block->threads + 1;
}

int simt_order_begin(simt_block *block) {
  size_t w = width(block), needed = 3 * w * block->threads;
  if (clock_count < needed) {
    free(clocks);
    clocks = calloc(needed, sizeof *clocks);
    clock_count = clocks ? needed : 0;
  }
  if (!places) places = calloc(PLACES, sizeof *places);
  if (!clocks || !places) return 0;
  memset(clocks, 0, w * block->threads * sizeof *clocks);
  for (uint32_t i = 0; i < block->threads; i++) {
    simt_thread *t = &block->thread[i];
    t->known = clocks + i * w;
    t->fenced = clocks + (block->threads + i) * w;
    t->pending = clocks + (2 * block->threads + i) * w;
    t->has_fenced = t->has_pending = 0;
  }
  return 1;
}

static void join(uint64_t *into, const uint64_t *from, size_t w) {
  for (size_t i = 0; i < w; i++)
    if (from[i] > into[i]) into[i] = from[i];
}

static size_t index_of(const simt_block *block, const simt_thread *t) {
  return (size_t)(t - block->thread);
}

/* Returns the thread's clock, including its own operations. */
static uint64_t *known_of(const simt_block *block, const simt_thread *t) {
  t->known[index_of(block, t)] = now;
  return t->known;
}

void simt_order_join(simt_block *block, simt_thread *const *joining, uint32_t count) {
  if (!block->launch->checks_races || count < 2) return;
  size_t w = width(block);
  uint64_t *all = known_of(block, joining[0]);
  for (uint32_t i = 1; i < count; i++) join(all, known_of(block, joining[i]), w);
  for (uint32_t i = 1; i < count; i++) memcpy(joining[i]->known, all, w * sizeof *all);
}

void simt_order_fence(simt_block *block, simt_thread *t) {
  size_t w = width(block);
  if (t->has_pending) join(t->known, t->pending, w);
  t->has_pending = 0;
  memcpy(t->fenced, known_of(block, t), w * sizeof *t->fenced);
  t->has_fenced = 1;
}

/* If all eight slots of an address are occupied, two addresses share one slot; then races may not
 * be detected. */
static place *find(const simt_block *block, uint64_t address) {
  uint64_t hash = address * 0x9e3779b97f4a7c15u >> 54;
  place *p = &places[hash];
  for (unsigned i = 0; i < 8; i++) {
    p = &places[(hash + i) % PLACES];
    if (p->grid != block->grid || p->address == address) break;
  }
  if (!p->left) p->left = calloc(SIMT_MAX_THREADS + 1, sizeof *p->left);
  if (!p->left) return NULL;
  if (p->grid != block->grid) {
    memset(p->left, 0, (SIMT_MAX_THREADS + 1) * sizeof *p->left);
    p->address = address;
    p->grid = block->grid;
    p->block = block->number;
  }
  return p;
}

/* Called before this block uses a clock of another block. Moves the maximum of all components to
 * the component of other blocks. */
static void adopt(const simt_block *block, place *p) {
  if (p->block == block->number) return;
  uint64_t latest = 0;
  for (size_t i = 0; i < width(block); i++) {
    if (p->left[i] > latest) latest = p->left[i];
    p->left[i] = 0;
  }
  p->left[block->threads] = latest;
  p->block = block->number;
}

void simt_order_atomic(simt_block *block, simt_thread *t, uint64_t address, uint32_t flags) {
  size_t w = width(block);
  place *p = find(block, address);
  if (!p) return;
  adopt(block, p);
  if (flags & SIMT_ACQUIRES) {
    join(t->known, p->left, w);
  } else {
    if (!t->has_pending) memset(t->pending, 0, w * sizeof *t->pending);
    join(t->pending, p->left, w);
    t->has_pending = 1;
  }
  if (!(flags & SIMT_WRITES)) return;
  if (flags & SIMT_RELEASES)
    join(p->left, known_of(block, t), w);
  else if (t->has_fenced)
    join(p->left, t->fenced, w);
}

int simt_order_is_before(const simt_block *block, const simt_thread *t, uint64_t other_block,
                         uint32_t thread, uint64_t time) {
  if (other_block != block->number) return t->known[block->threads] >= time;
  return thread == index_of(block, t) || t->known[thread] >= time;
}
