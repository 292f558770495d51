/* Race detector and bounds checks. Two accesses race if they overlap, belong to different threads,
 * one is a write, at least one is not atomic, and neither happens before the other (order.c). Only
 * the last write and the last read of each 8 bytes are recorded, so some races are not detected. */
#define _GNU_SOURCE
#include "backends/simt/exec/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ENTRIES = 1 << 20, TRIES = 8, GRANULE = 8 };
enum { PACKET = 64, HIDDEN_ARGUMENTS = 256 };

typedef struct access {
  uint64_t grid, block, time;
  uint32_t thread;
  uint8_t bytes; /* a bit per accessed byte of the granule */
  uint8_t is_atomic;
  const void *site;
} access;

typedef struct entry {
  uint64_t granule;
  access write, read;
} entry;

static _Thread_local entry *table;

static unsigned slot_of(uint64_t granule) {
  return (unsigned)(granule * 0x9e3779b97f4a7c15u >> 44);
}

static entry *find(uint64_t granule, uint64_t grid) {
  if (!table) {
    table = mmap(NULL, (size_t)ENTRIES * sizeof *table, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (table == MAP_FAILED) table = NULL;
    if (!table) return NULL;
  }
  unsigned hash = slot_of(granule);
  entry *old = NULL;
  for (unsigned i = 0; i < TRIES; i++) {
    entry *e = &table[(hash + i) % ENTRIES];
    if (e->granule == granule) return e;
    if (!old && e->write.grid != grid && e->read.grid != grid) old = e;
  }
  if (!old) old = &table[hash % ENTRIES];
  memset(old, 0, sizeof *old);
  old->granule = granule;
  return old;
}

static uint8_t bytes_of(uint64_t at, uint64_t end) {
  uint64_t last = at / GRANULE * GRANULE + GRANULE, until = end < last ? end : last;
  return (uint8_t)((0xffu >> (last - until)) & (0xffu << at % GRANULE));
}

void simt_access_clear(const void *address, uint64_t bytes) {
  uint64_t at = (uintptr_t)address, end = at + bytes;
  for (; table && at < end; at = at / GRANULE * GRANULE + GRANULE)
    for (unsigned i = 0; i < TRIES; i++) {
      entry *e = &table[(slot_of(at / GRANULE) + i) % ENTRIES];
      if (e->granule != at / GRANULE) continue;
      e->write.bytes &= (uint8_t)~bytes_of(at, end);
      e->read.bytes &= (uint8_t)~bytes_of(at, end);
    }
}

static int is_ordered(const simt_block *block, const access *before, const access *now) {
  if (before->grid != now->grid || !(before->bytes & now->bytes)) return 1;
  if (before->is_atomic && now->is_atomic) return 1;
  return simt_order_is_before(block, &block->thread[now->thread], before->block, before->thread,
                              before->time);
}

static void report_race(simt_block *block, const access *before, const access *now,
                        const char *words, const void *address) {
  char place[256] = "an unknown place";
  simt_thread *t = simt_current_thread;
  simt_count_race(block->launch);
  if (!simt_is_first_report(now->site)) return;
  simt_thread other = {.site = before->site};
  t->site = now->site;
  simt_place_of(block, other.site, place, sizeof place);
  simt_report(block, t, "data race: %s %p, not ordered with the access by thread %u of %s at %s",
              words, address, before->thread,
              before->block == now->block ? "its block" : "another block", place);
}

static int is_within(const void *address, const void *start, uint64_t bytes) {
  return start && (uint64_t)((const char *)address - (const char *)start) < bytes;
}

/* Returns the reason why the access is wrong, or NULL. */
static const char *check_stack(const simt_block *block, const simt_thread *t, uint64_t offset,
                               char *words, size_t size) {
  uint64_t place = offset / block->stack_bytes;
  if (place == t->place) return NULL;
  snprintf(words, size, "the private memory of thread %llu", (unsigned long long)place);
  return words;
}

/* Ends the kernel if the access is out of bounds. Returns 1 if the memory is private. */
static int check_access(simt_block *block, simt_thread *t, const void *address, uint64_t bytes,
                        uint32_t flags, const void *site) {
  char words[256];
  const simt_launch *l = block->launch;
  uint64_t offset = (uint64_t)((const char *)address - block->stacks);
  int is_private = offset < block->threads * block->stack_bytes;
  if (!l->checks_bounds || is_within(address, block->shared, l->shared_limit) ||
      is_within(address, l->packet, PACKET) || is_within(address, l->implicit, HIDDEN_ARGUMENTS))
    return is_private;
  const char *wrong = is_private ? check_stack(block, t, offset, words, sizeof words)
                                 : simt_memory_check(address, bytes, words, sizeof words);
  if (!wrong) return is_private;
  t->site = site;
  simt_report(block, t, "%s %llu byte%s at %p, %s", flags & SIMT_WRITES ? "writes" : "reads",
              (unsigned long long)bytes, bytes == 1 ? "" : "s", address, wrong);
  block->result = SIMT_FAULTED;
  simt_fiber_switch(&t->stack, block->scheduler);
  return is_private;
}

void simt_access(const void *address, uint64_t bytes, uint32_t flags) {
  simt_block *block = simt_current_block;
  simt_thread *t = simt_current_thread;
  uint64_t at = (uint64_t)(uintptr_t)address, end = at + bytes;
  int writes = (flags & SIMT_WRITES) != 0;
  int is_shared = is_within(address, block->shared, block->launch->shared_limit);
  if (flags & SIMT_FENCE) {
    if (block->launch->checks_races) simt_order_fence(block, t);
    return;
  }
  if (flags & SIMT_CLEARS) {
    simt_access_clear(address, bytes);
    return;
  }
  t->frame = __builtin_frame_address(0);
  if (check_access(block, t, address, bytes, flags, __builtin_return_address(0))) return;
  if (!block->launch->checks_races) return;
  if (flags & SIMT_ATOMIC) simt_order_atomic(block, t, at, flags);
  for (; at < end; at = at / GRANULE * GRANULE + GRANULE) {
    access now = {.grid = block->grid,
                  .block = block->number,
                  .time = simt_order_tick(),
                  .thread = (uint32_t)(t - block->thread),
                  .bytes = bytes_of(at, end),
                  .is_atomic = (flags & SIMT_ATOMIC) != 0,
                  .site = __builtin_return_address(0)};
    entry *e = find(at / GRANULE, block->grid);
    if (!e) return;
    /* the shared memory of all blocks has the same address, so records of another block are for
     * different memory */
    if (is_shared && e->write.block != block->number) e->write.grid = 0;
    if (is_shared && e->read.block != block->number) e->read.grid = 0;
    if (!is_ordered(block, &e->write, &now))
      report_race(block, &e->write, &now, writes ? "writes" : "reads", address);
    else if (writes && !is_ordered(block, &e->read, &now))
      report_race(block, &e->read, &now, "writes", address);
    if (writes)
      e->write = now;
    else
      e->read = now;
  }
}
