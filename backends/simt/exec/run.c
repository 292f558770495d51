/* Runs a grid: host threads claim blocks and run their fibers. */
#include "backends/simt/exec/internal.h"

#include "runtime/base/atomic.h"
#include <string.h>

/* FILL: pattern of uninitialised shared memory. FILLED: see prepare_block(). */
enum { FILL = 0xa5, FILLED = 8 << 10 };

static uint64_t next_random(simt_block *block) {
  uint64_t x = block->random;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return block->random = x;
}

static void thread_main(void) {
  simt_block *block = simt_current_block;
  block->launch->enter(block->launch->kernel);
  simt_thread *t = simt_current_thread;
  t->state = SIMT_ENDED;
  block->live--;
  for (;;) simt_fiber_switch(&t->stack, block->scheduler);
}

static void go(simt_block *block, simt_thread *t) {
  simt_thread_select(block, t);
  simt_fiber_switch(&block->scheduler, t->stack);
}

/* Runs each ready thread of the warp once. Returns their number. */
static unsigned go_warp(simt_block *block, uint32_t warp) {
  uint32_t first = warp * block->launch->warp_size, size = block->launch->warp_size;
  if (first + size > block->threads) size = block->threads - first;
  uint32_t turn = block->random ? (uint32_t)(next_random(block) % size) : 0;
  unsigned went = 0;
  for (uint32_t i = 0; i < size && !block->result; i++) {
    simt_thread *t = &block->thread[first + (i + turn) % size];
    if (t->state != SIMT_READY) continue;
    go(block, t);
    went++;
  }
  return went;
}

static unsigned has_ready(const simt_block *block, uint32_t warp) {
  uint32_t size = block->launch->warp_size, first = warp * size;
  for (uint32_t i = first; i < first + size && i < block->threads; i++)
    if (block->thread[i].state == SIMT_READY) return 1;
  return 0;
}

static void run_threads(simt_block *block) {
  while (block->live && !block->result) {
    unsigned progress = 0;
    uint32_t turn = block->random ? (uint32_t)(next_random(block) % block->warps) : 0;
    for (uint32_t i = 0; i < block->warps && !block->result; i++) {
      uint32_t warp = (i + turn) % block->warps;
      progress += go_warp(block, warp);
      if (!block->result && !has_ready(block, warp)) progress += simt_warp_resolve(block, warp);
    }
    if (block->result || !block->live) return;
    if (!progress) (void)simt_block_resolve(block);
  }
}

static void prepare_threads(simt_block *block) {
  const simt_launch *l = block->launch;
  for (uint32_t i = 0; i < block->threads; i++) {
    simt_lane *lane = &block->thread[i].lane;
    block->thread[i].index = i;
    lane->calls = &simt_executor_calls;
    memcpy(lane->blocks, l->blocks, sizeof lane->blocks);
    memcpy(lane->threads, l->threads, sizeof lane->threads);
    lane->thread[0] = i % l->threads[0];
    lane->thread[1] = i / l->threads[0] % l->threads[1];
    lane->thread[2] = i / l->threads[0] / l->threads[1];
    lane->lane = i % l->warp_size;
    lane->warp = i / l->warp_size;
    lane->warp_size = l->warp_size;
    lane->is_lazy = (uint32_t)block->is_lazy;
    lane->shared_begin = block->shared;
    lane->shared_bytes = l->shared_limit;
    lane->dynamic_shared = block->shared + l->shared_limit - (l->dynamic_shared + 127) / 128 * 128;
    lane->dynamic_bytes = l->dynamic_shared;
    lane->packet = l->packet;
    lane->implicit = l->implicit;
  }
}

/* Filling is slow, so a host thread fills all shared memory only before its first block, and then
 * FILLED bytes before each block. */
static void prepare_block(simt_block *block, const uint32_t at[3], uint64_t first) {
  const simt_launch *l = block->launch;
  block->live = block->threads;
  block->region = NULL;
  if (l->checks_races && !simt_order_begin(block)) block->result = SIMT_TOO_LARGE;
  size_t filled = first ? l->shared_limit : l->shared_limit < FILLED ? l->shared_limit : FILLED;
  memset(block->shared, FILL, filled);
  for (uint32_t i = 0; i < block->threads; i++) {
    simt_thread *t = &block->thread[i];
    memcpy(t->lane.block, at, sizeof t->lane.block);
    t->lane.patience = SIMT_ATOMICS_BEFORE_YIELD;
    t->state = SIMT_READY;
    t->stack = NULL;
    t->is_worker = 0;
    if (block->is_lazy) continue;
    t->place = i;
    t->stack = simt_fiber_prepare(simt_stack_of(block, i), block->stack_bytes, thread_main);
  }
}

typedef struct grid {
  const simt_launch *launch;
  uint64_t number, count, turn;
  _Atomic uint64_t next;
  _Atomic int result;
} grid;

/* The seed depends on the block, not on the host thread, so that a run is reproducible. */
static uint64_t seed_of(const simt_launch *l, uint64_t number) {
  uint64_t x = l->seed + (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  return l->seed ? (x ^ x >> 27) | 1 : 0;
}

/* Returns the number of the i-th block. A seed changes the order only within groups of 256 blocks,
 * because in LLVM's reduction a team waits for the team 1,024 below it. */
static uint64_t block_at(const grid *g, uint64_t i) {
  enum { NEAR = 256 };
  uint64_t first = i / NEAR * NEAR, size = g->count - first < NEAR ? g->count - first : NEAR;
  return first + (i - first + g->turn % size) % size;
}

static void run_blocks(grid *g, simt_block *block) {
  const simt_launch *l = g->launch;
  uint64_t i;
  /* relaxed: each block is claimed once, and simt_pool_run() orders the results. */
  for (unsigned first = 1; !solo_load_relaxed(&g->result); first = 0) {
    if ((i = solo_add_relaxed(&g->next, 1)) >= g->count) break;
    uint64_t n = block_at(g, i);
    const uint32_t at[3] = {(uint32_t)(n % l->blocks[0]),
                            (uint32_t)(n / l->blocks[0] % l->blocks[1]),
                            (uint32_t)(n / l->blocks[0] / l->blocks[1])};
    block->number = n;
    block->random = seed_of(l, n);
    prepare_block(block, at, first);
    if (block->is_lazy && !block->result)
      simt_lazy_run(block);
    else
      run_threads(block);
    int none = SIMT_RAN;
    if (block->result)
      (void)solo_cas_relaxed(&g->result, &none,
                             block->result); /* relaxed: ordered by simt_pool_run() */
  }
}

static void run_share(void *of) {
  grid *g = of;
  const simt_launch *l = g->launch;
  simt_block block = {.launch = l, .grid = g->number};
  block.is_lazy = !l->seed && !l->checks_races && !l->is_exact;
  block.threads = l->threads[0] * l->threads[1] * l->threads[2];
  block.warps = (block.threads + l->warp_size - 1) / l->warp_size;
  block.stack_bytes = l->stack_bytes ? l->stack_bytes : SIMT_STACK;
  block.stack_bytes = (block.stack_bytes + 4095) / 4096 * 4096 + SIMT_GUARD;
  if (!simt_workspace_acquire(&block)) {
    solo_store_relaxed(&g->result, SIMT_TOO_LARGE); /* relaxed: see run_blocks() */
    return;
  }
  simt_current before;
  simt_current_begin(&block, &before);
  prepare_threads(&block);
  run_blocks(g, &block);
  simt_current_end(&before);
}

simt_result simt_run(const simt_launch *l) {
  static _Atomic uint64_t grids;
  uint64_t threads = (uint64_t)l->threads[0] * l->threads[1] * l->threads[2];
  if (!threads || threads > SIMT_MAX_THREADS || l->dynamic_shared > l->shared_limit)
    return SIMT_TOO_LARGE;
  grid g = {.launch = l, .count = (uint64_t)l->blocks[0] * l->blocks[1] * l->blocks[2]};
  g.number = solo_add_relaxed(&grids, 1) + 1; /* relaxed: a unique number */
  if (l->seed) g.turn = seed_of(l, UINT64_MAX);
  uint64_t most = g.count < l->workers ? g.count : l->workers;
  simt_pool_run(run_share, &g, most > 1 ? (unsigned)most - 1 : 0);
  return (simt_result)solo_load_relaxed(&g.result); /* relaxed: see run_blocks() */
}
