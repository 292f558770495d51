/* Runs a grid: blocks one after the other, and the threads of a block in turns. */
#define _GNU_SOURCE
#include "backends/simt/exec/inside.h"

#include "runtime/base/atomic.h"
#include <asm/prctl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Shared memory begins so: nothing may rely on zeros. */
enum { FILL = 0xa5, FILLED = 8 << 10 };

/* What the gs base points to. */
static _Thread_local simt_lane *gs_words[2];

static uint64_t next_random(simt_block *block) {
  uint64_t x = block->random;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return block->random = x;
}

static void thread_main(void) {
  simt_block *block = simt_block_here;
  block->launch->enter(block->launch->kernel);
  simt_thread *t = simt_thread_here;
  t->state = SIMT_ENDED;
  block->live--;
  for (;;) simt_fiber_switch(&t->stack, block->scheduler);
}

static void go(simt_block *block, simt_thread *t) {
  simt_thread_here = t;
  gs_words[1] = &t->lane;
  simt_fiber_switch(&block->scheduler, t->stack);
}

/* Every ready thread of the warp once; the first is chosen by the seed. How many went. */
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

/* A thread that only let others go first is still ready; its warp's turn comes again. */
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
    if (!progress) progress = simt_barrier_resolve(block);
    if (!progress) progress = simt_warp_break(block);
    if (!progress) progress = simt_barrier_break(block);
    if (!progress) {
      simt_report_stuck(block);
      block->result = SIMT_STUCK;
    }
  }
}

/* Shared memory is all filled for the first block of a grid; for the others only where most of it is
 * used, since that is most of what starting a block costs. */
static void prepare_block(simt_block *block, const uint32_t at[3], uint64_t first) {
  const simt_launch *l = block->launch;
  block->live = block->threads;
  size_t filled = first ? l->shared_limit : l->shared_limit < FILLED ? l->shared_limit : FILLED;
  memset(block->shared, FILL, filled);
  for (uint32_t i = 0; i < block->threads; i++) {
    simt_thread *t = &block->thread[i];
    simt_lane *lane = &t->lane;
    lane->calls = &simt_calls_here;
    memcpy(lane->block, at, sizeof lane->block);
    memcpy(lane->blocks, l->blocks, sizeof lane->blocks);
    memcpy(lane->threads, l->threads, sizeof lane->threads);
    lane->thread[0] = i % l->threads[0];
    lane->thread[1] = i / l->threads[0] % l->threads[1];
    lane->thread[2] = i / l->threads[0] / l->threads[1];
    lane->lane = i % l->warp_size;
    lane->warp = i / l->warp_size;
    lane->warp_size = l->warp_size;
    lane->patience = SIMT_PATIENCE;
    lane->shared_begin = block->shared;
    lane->shared_bytes = l->shared_limit;
    lane->dynamic_shared = block->shared + l->shared_limit - (l->dynamic_shared + 127) / 128 * 128;
    lane->dynamic_bytes = l->dynamic_shared;
    lane->packet = l->packet;
    lane->implicit = l->implicit;
    t->warp_meetings = 0;
    t->state = SIMT_READY;
    t->stack =
        simt_fiber_prepare(block->stacks + i * block->stack_bytes, block->stack_bytes, thread_main);
  }
}

static void run_blocks(simt_block *block) {
  const simt_launch *l = block->launch;
  uint64_t count = (uint64_t)l->blocks[0] * l->blocks[1] * l->blocks[2];
  uint64_t turn = block->random ? next_random(block) % count : 0;
  void *before;
  simt_block *outer = simt_block_here;
  syscall(SYS_arch_prctl, ARCH_GET_GS, &before);
  syscall(SYS_arch_prctl, ARCH_SET_GS, gs_words);
  simt_block_here = block;
  for (uint64_t i = 0; i < count && !block->result; i++) {
    uint64_t n = (i + turn) % count;
    const uint32_t at[3] = {(uint32_t)(n % l->blocks[0]),
                            (uint32_t)(n / l->blocks[0] % l->blocks[1]),
                            (uint32_t)(n / l->blocks[0] / l->blocks[1])};
    block->number = n;
    prepare_block(block, at, i == 0);
    run_threads(block);
  }
  simt_block_here = outer;
  simt_thread_here = NULL;
  syscall(SYS_arch_prctl, ARCH_SET_GS, before);
}

/* What a host thread keeps between grids: making stacks costs more than most grids. */
static _Thread_local struct room {
  char *stacks, *shared;
  simt_thread *thread;
  uint32_t threads;
  size_t stack_bytes, shared_bytes;
} room;

static int has_room(const simt_block *block) {
  const simt_launch *l = block->launch;
  if (room.threads < block->threads || room.stack_bytes != block->stack_bytes) {
    if (room.stacks) simt_stacks_unmap(room.stacks, room.threads, room.stack_bytes);
    free(room.thread);
    room.threads = block->threads;
    room.stack_bytes = block->stack_bytes;
    room.stacks = simt_stacks_map(room.threads, room.stack_bytes);
    room.thread = calloc(room.threads, sizeof *room.thread);
    if (!room.stacks || !room.thread) room.threads = 0;
  }
  if (room.shared_bytes < l->shared_limit) {
    free(room.shared);
    room.shared_bytes = ((size_t)l->shared_limit + 4095) / 4096 * 4096;
    room.shared = aligned_alloc(4096, room.shared_bytes);
    if (!room.shared) room.shared_bytes = 0;
  }
  return room.threads >= block->threads && room.shared_bytes >= l->shared_limit;
}

simt_result simt_run(const simt_launch *launch) {
  static _Atomic uint64_t grids;
  simt_block block = {.launch = launch, .random = launch->seed};
  block.grid = solo_add_relaxed(&grids, 1) + 1; /* a number by itself */
  block.threads = launch->threads[0] * launch->threads[1] * launch->threads[2];
  if (!block.threads || block.threads > SIMT_MAX_THREADS ||
      launch->dynamic_shared > launch->shared_limit)
    return SIMT_TOO_LARGE;
  block.warps = (block.threads + launch->warp_size - 1) / launch->warp_size;
  block.stack_bytes = launch->stack_bytes ? launch->stack_bytes : SIMT_STACK;
  block.stack_bytes = (block.stack_bytes + 4095) / 4096 * 4096 + 4096;
  if (!has_room(&block)) return SIMT_TOO_LARGE;
  block.stacks = room.stacks;
  block.thread = room.thread;
  block.shared = room.shared;
  run_blocks(&block);
  return block.result;
}
