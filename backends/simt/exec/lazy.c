/* Lazy threads: a GPU thread runs as a call on the stack of its predecessor. A thread that waits retains its stack,
 * and the next thread starts on another one. Threads that never wait share one stack, without a switch. */
#include "backends/simt/exec/internal.h"

/* Returns the first ready thread at or above i, then the first below; NULL: none. */
static simt_thread *ready_from(const simt_block *block, uint32_t i) {
  uint32_t words = (block->threads + 63) / 64, w = i / 64;
  uint64_t bits = i < block->threads ? block->ready[w] & ~simt_low_bits(i % 64) : 0;
  if (i >= block->threads) w = words - 1;
  for (uint32_t n = 0; !bits && n < words; n++) {
    w = w + 1 < words ? w + 1 : 0;
    bits = block->ready[w];
  }
  return bits ? &block->thread[w * 64 + (uint32_t)__builtin_ctzll(bits)] : NULL;
}

static inline uint64_t warp_bits(const simt_block *block, uint32_t i) {
  return block->launch->warp_size == 64 ? UINT64_MAX : UINT64_C(0xffffffff) << (i & 32);
}

/* No thread of t's warp is ready. NULL: the block ends. */
static __attribute__((noinline)) simt_thread *next_warp(simt_block *block, const simt_thread *t) {
  uint64_t *waiting = &block->at_warp[t->index / 64], of_warp = warp_bits(block, t->index);
  if (*waiting & of_warp) {
    *waiting &= ~of_warp;
    if (simt_warp_resolve(block, t->lane.warp))
      return ready_from(block, t->index / block->launch->warp_size * block->launch->warp_size);
    *waiting |= of_warp;
  }
  if (block->is_in_region && block->live == 1) return block->main;
  if (!block->live) return NULL;
  simt_thread *next = ready_from(block, t->index + 1);
  while (!next && simt_block_resolve(block)) next = ready_from(block, 0);
  return next;
}

/* Returns the next thread to run: a thread that yields is followed by another one of the block, a
 * thread that waits by another one of its warp, if possible. NULL: the block ends.
 * Invariant: if no thread of a warp is ready, simt_warp_resolve() has no effect. */
static inline simt_thread *next_of(simt_block *block, const simt_thread *t) {
  uint32_t i = t->index;
  if (t->state == SIMT_READY) return ready_from(block, i + 1);
  uint64_t bits = block->ready[i / 64] &= ~(UINT64_C(1) << i % 64);
  bits &= warp_bits(block, i);
  if (!bits) return next_warp(block, t);
  uint64_t above = bits & ~simt_low_bits(i % 64);
  return &block->thread[i / 64 * 64 + (uint32_t)__builtin_ctzll(above ? above : bits)];
}

static void start_here(void);

/* Continues with t on another stack; starts it if it has none. Saves the stack pointer in *save. */
static void switch_to(simt_block *block, void **save, simt_thread *t) {
  simt_thread_select(t);
  if (!t->stack) {
    uint32_t place =
        block->free_count ? block->free_stack[--block->free_count] : block->stacks_used++;
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

/* The first function of a stack: runs threads that have not started until the next thread has a stack. */
static void start_here(void) {
  simt_block *block = simt_current_block;
  for (;;) {
    simt_thread *t = simt_current_thread;
    uint32_t place = t->place;
    if (t->is_worker)
      block->region();
    else
      block->launch->enter(block->launch->kernel);
    t = simt_current_thread;
    t->state = SIMT_ENDED;
    block->live--;
    simt_thread *next = next_of(block, t);
    if (next && !next->stack) {
      next->place = place;
      next->stack = t->stack;
      simt_thread_select(next);
      continue;
    }
    block->free_stack[block->free_count++] = place;
    if (next)
      switch_to(block, &t->stack, next);
    else
      simt_fiber_switch(&t->stack, block->scheduler);
  }
}

void simt_lazy_region(simt_block *block) {
  simt_thread *main = block->main;
  if (block->is_in_region) {
    block->is_in_region = 0;
    return;
  }
  block->is_in_region = 1;
  main->state = SIMT_AT_BARRIER;
  for (uint32_t i = 0; i < block->workers; i++) {
    simt_thread *t = &block->thread[i];
    t->state = SIMT_READY;
    t->stack = NULL;
    t->is_worker = 1;
  }
  for (uint32_t i = 0; i < block->workers; i += 64)
    block->ready[i / 64] |= simt_low_bits(block->workers - i);
  block->live += block->workers;
  simt_lazy_wait(block, main);
  simt_thread_set_ready(block, main);
}

void simt_lazy_run(simt_block *block) {
  block->free_count = block->stacks_used = 0;
  for (uint32_t i = 0; i < block->threads; i += 64)
    block->ready[i / 64] = simt_low_bits(block->threads - i), block->at_warp[i / 64] = 0;
  switch_to(block, &block->scheduler, &block->thread[0]);
}
