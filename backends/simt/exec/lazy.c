/* Lazy threads: a GPU thread runs as a call on the stack of its predecessor. A thread that waits retains its stack,
 * and the next thread starts on another one. */
#include "backends/simt/exec/internal.h"

#include <string.h>

/* Removes and returns a thread of the set block->ready: the first at or above index i, else the
 * first below it. NULL: the set is empty. */
static simt_thread *ready_from(simt_block *block, uint32_t i) {
  uint32_t words = (block->threads + 63) / 64, w = i / 64;
  uint64_t bits = i < block->threads ? block->ready[w] & ~simt_low_bits(i % 64) : 0;
  if (i >= block->threads) w = words - 1;
  for (uint32_t n = 0; !bits && n < words; n++) {
    w = w + 1 < words ? w + 1 : 0;
    bits = block->ready[w];
  }
  if (!bits) return NULL;
  block->ready[w] &= ~(bits & -bits);
  return &block->thread[w * 64 + (uint32_t)__builtin_ctzll(bits)];
}

static inline uint64_t warp_bits(const simt_block *block, uint32_t i) {
  return block->launch->warp_size == 64 ? UINT64_MAX : UINT64_C(0xffffffff) << (i & 32);
}

static simt_thread *ready_in_warp(simt_block *block, uint32_t i) {
  uint64_t bits = block->ready[i / 64] & warp_bits(block, i);
  uint64_t above = bits & ~simt_low_bits(i % 64);
  if (!bits) return NULL;
  if (above) bits = above;
  block->ready[i / 64] &= ~(bits & -bits);
  return &block->thread[i / 64 * 64 + (uint32_t)__builtin_ctzll(bits)];
}

static inline int has_new(const simt_block *block) {
  return block->next_new != block->end_new;
}

static inline simt_thread *create_thread(simt_block *block) {
  simt_thread *t = &block->thread[block->next_new++];
  t->stack = NULL;
  return t;
}

/* Returns the next thread if t yields or all threads of t's warp have started. Returns NULL if the
 * block ends.
 * Invariant: if all threads of a warp have started and none is ready, no operation of the warp can
 *            complete.
 * Otherwise: threads would wait forever, because simt_block_resolve() does not resolve warps.
 */
static __attribute__((noinline)) simt_thread *next_elsewhere(simt_block *block, simt_thread *t) {
  uint64_t *waiting = &block->at_warp[t->index / 64], of_warp = warp_bits(block, t->index);
  simt_thread *next;
  if (t->state == SIMT_READY) {
    /* t yields: others run first */
    next = has_new(block) ? create_thread(block) : ready_from(block, t->index + 1);
    if (!next) return t;
    simt_thread_set_ready(block, t);
    return next;
  }
  if ((next = ready_in_warp(block, t->index))) return next;
  if (*waiting & of_warp) {
    *waiting &= ~of_warp;
    if (simt_warp_resolve(block, t->lane.warp)) return ready_in_warp(block, t->index);
    *waiting |= of_warp;
  }
  if (has_new(block)) return create_thread(block);
  if (block->is_in_region && block->live == 1) return block->main;
  if (!block->live) return NULL;
  next = ready_from(block, t->index + 1);
  while (!next && simt_block_resolve(block)) next = ready_from(block, 0);
  return next;
}

/* Returns the thread that runs when t waits, yields or has ended. If the member stack of that
 * thread is NULL, it has not started. */
static inline simt_thread *next_of(simt_block *block, simt_thread *t) {
  if (has_new(block) && ((t->index ^ block->next_new) & -block->launch->warp_size) == 0)
    return t->state == SIMT_READY ? next_elsewhere(block, t) : create_thread(block);
  return next_elsewhere(block, t);
}

static void start_here(void);

/* Continues with t on another stack. Starts t if necessary. Saves the stack pointer in *save. */
static void switch_to(simt_block *block, void **save, simt_thread *t) {
  simt_thread_select(block, t);
  if (!t->stack) {
    uint32_t place =
        block->free_count ? block->free_stack[--block->free_count] : block->used_stacks++;
    t->place = place;
    t->stack = simt_fiber_prepare(simt_stack_of(block, place), block->stack_bytes, start_here);
  }
  simt_fiber_switch(save, t->stack);
}

void simt_lazy_wait(simt_block *block, simt_thread *t) {
  simt_thread *next = next_of(block, t);
  if (next == t) return;
  if (t->state == SIMT_ENDED) block->free_stack[block->free_count++] = t->place;
  if (next)
    switch_to(block, &t->stack, next);
  else
    simt_fiber_switch(&t->stack, block->scheduler);
}

/* Executes the region with t and the new threads of its warp. Returns the last thread. */
static simt_thread *run_workers(simt_block *block, simt_thread *t) {
  uint32_t end = (t->index | (block->launch->warp_size - 1)) + 1, place = t->place;
  if (end > block->end_new) end = block->end_new;
  for (;;) {
    block->region();
    if (block->next_new >= end) return t;
    t->state = SIMT_ENDED;
    block->live--;
    t = &block->thread[block->next_new++];
    t->stack = NULL;
    t->place = place;
    simt_thread_select(block, t);
  }
}

/* The first function of a stack. Starts threads until the next thread has a stack. */
static void start_here(void) {
  simt_block *block = simt_current_block;
  simt_thread *t = simt_current_thread, *next;
  uint32_t place = t->place;
  for (;;) {
    if (t->is_worker)
      t = run_workers(block, t);
    else
      block->launch->enter(block->launch->kernel);
    t->state = SIMT_ENDED;
    block->live--;
    next = next_of(block, t);
    if (!next || next->stack) break;
    next->place = place;
    simt_thread_select(block, next);
    t = next;
  }
  block->free_stack[block->free_count++] = place;
  if (next)
    switch_to(block, &t->stack, next);
  else
    simt_fiber_switch(&t->stack, block->scheduler);
}

void simt_lazy_region(simt_block *block) {
  simt_thread *main = block->main;
  if (block->is_in_region) {
    block->is_in_region = 0;
    return;
  }
  uint32_t count = block->region_threads();
  block->is_in_region = 1;
  if (!count) return;
  if (count > block->workers) count = block->workers;
  main->state = SIMT_AT_BARRIER;
  block->next_new = 0;
  block->end_new = count;
  block->live += count;
  simt_lazy_wait(block, main);
  main->state = SIMT_READY;
}

/* Threads after the main thread would leave the kernel at once (device/gpu.c), so this function does
 * not start them. */
void simt_lazy_workers(simt_block *block, uint32_t (*count)(void), void (*region)(void),
                       uint32_t most) {
  block->region_threads = count;
  block->region = region;
  block->workers = most;
  block->main = simt_current_thread;
  block->is_in_region = 0;
  for (uint32_t i = 0; i < most; i++) block->thread[i].is_worker = 1;
  while (has_new(block)) {
    create_thread(block)->state = SIMT_ENDED;
    block->live--;
  }
}

void simt_lazy_run(simt_block *block) {
  block->free_count = block->used_stacks = block->next_new = 0;
  block->end_new = block->threads;
  memset(block->ready, 0, sizeof block->ready);
  memset(block->at_warp, 0, sizeof block->at_warp);
  switch_to(block, &block->scheduler, create_thread(block));
}
