#include "backends/simt/exec/internal.h"

#include <stdio.h>

/* Reports, once per source line, an aligned barrier that not all threads of the block reach. */
static void check_aligned(const simt_block *block, uint32_t id) {
  const simt_thread *first = NULL;
  char place[256];
  for (uint32_t i = 0; i < block->threads; i++) {
    const simt_thread *t = &block->thread[i];
    if (t->state != SIMT_AT_BARRIER || t->barrier != id) continue;
    if (!t->is_aligned) return;
    if (!first) first = t;
    if (t->lane.place == first->lane.place || !simt_is_first_report(t->site)) continue;
    (void)simt_is_first_report(first->site);
    if (!simt_place(block, first, place, sizeof place))
      snprintf(place, sizeof place, "%p", first->site);
    simt_report(block, t,
                "waits at a barrier of its block, but thread (%u,%u,%u) waits at the one at %s",
                first->lane.thread[0], first->lane.thread[1], first->lane.thread[2], place);
    return;
  }
  if (block->live < block->threads && simt_is_first_report(first->site))
    simt_report(block, first, "waits at a barrier of its block that %u ended threads did not reach",
                block->threads - block->live);
}

/* Completes barrier id if enough threads wait at it. If the threads pass different counts, the
 * largest applies. Returns the number of released threads. */
static unsigned resolve(simt_block *block, uint32_t id) {
  uint32_t here = 0, wanted = 0;
  int all = 0;
  for (uint32_t i = 0; i < block->threads; i++) {
    const simt_thread *t = &block->thread[i];
    if (t->state != SIMT_AT_BARRIER || t->barrier != id) continue;
    here++;
    if (t->count == 0) all = 1;
    if (t->count > wanted) wanted = t->count;
  }
  if (!here) return 0;
  if (all) wanted = block->live;
  if (here < wanted) return 0;
  check_aligned(block, id);
  simt_thread *joining[SIMT_MAX_THREADS];
  uint32_t count = 0;
  for (uint32_t i = 0; i < block->threads; i++) {
    simt_thread *t = &block->thread[i];
    if (t->state != SIMT_AT_BARRIER || t->barrier != id) continue;
    simt_thread_set_ready(block, t);
    joining[count++] = t;
  }
  simt_order_join(block, joining, count);
  return here;
}

/* The common case in one pass: all threads of the block wait at the same barrier of the code. */
static unsigned resolve_all(simt_block *block) {
  const simt_thread *first = &block->thread[0];
  if (block->launch->checks_races || block->live < block->threads || first->count) return 0;
  for (uint32_t i = 0; i < block->threads; i++) {
    const simt_thread *t = &block->thread[i];
    if (t->state != SIMT_AT_BARRIER || t->barrier != first->barrier || t->count ||
        t->lane.place != first->lane.place)
      return 0;
  }
  for (uint32_t i = 0; i < block->threads; i++) block->thread[i].state = SIMT_READY;
  for (uint32_t i = 0; i < block->threads; i += 64)
    block->ready[i / 64] = simt_low_bits(block->threads - i);
  return block->threads;
}

unsigned simt_barrier_resolve(simt_block *block) {
  unsigned count = resolve_all(block);
  if (count) return count;
  uint32_t waiting = 0;
  for (uint32_t i = 0; i < block->threads; i++)
    if (block->thread[i].state == SIMT_AT_BARRIER) waiting |= 1u << block->thread[i].barrier;
  for (uint32_t id = 0; id < SIMT_BARRIERS; id++)
    if (waiting >> id & 1) count += resolve(block, id);
  return count;
}

/* If the live threads wait at different barriers of the block, releases the barrier with the fewest
 * threads. LLVM 19's dynamic schedules cause this situation. A GPU does not block, because the
 * threads of a warp execute together. */
unsigned simt_barrier_break(simt_block *block) {
  unsigned here[SIMT_BARRIERS] = {0}, kinds = 0, least = 0;
  const simt_thread *first = NULL;
  for (uint32_t i = 0; i < block->threads; i++) {
    const simt_thread *t = &block->thread[i];
    if (t->state == SIMT_ENDED) continue;
    if (t->state != SIMT_AT_BARRIER || t->count) return 0;
    kinds += here[t->barrier]++ == 0;
  }
  if (kinds < 2) return 0;
  for (unsigned id = 1; id < SIMT_BARRIERS; id++)
    if (here[id] && (!here[least] || here[id] < here[least])) least = id;
  for (uint32_t i = 0; i < block->threads; i++) {
    simt_thread *t = &block->thread[i];
    if (t->state != SIMT_AT_BARRIER || t->barrier != least) continue;
    if (!first) first = t;
    simt_thread_set_ready(block, t);
  }
  if (first && simt_is_first_report(first->site))
    simt_report(
        block, first,
        "and %u more threads wait at barrier %u, but the others of the block wait at another one; "
        "continuing (undefined on a GPU)",
        here[least] - 1, least);
  return here[least];
}

unsigned simt_block_resolve(simt_block *block) {
  unsigned progress = simt_barrier_resolve(block);
  if (!progress) progress = simt_warp_break(block);
  if (!progress) progress = simt_barrier_break(block);
  if (progress) return progress;
  simt_report_stuck(block);
  block->result = SIMT_STUCK;
  return 0;
}
