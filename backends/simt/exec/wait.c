/* The functions of simt_calls, which device code calls. */
#define _GNU_SOURCE
#include "backends/simt/exec/internal.h"

#include "runtime/base/atomic.h"
#include "runtime/base/format.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { LINE = 4096 };

static void wait_as(simt_state state, const void *site, const void *frame) {
  simt_thread *t = simt_current_thread;
  t->state = state;
  t->site = site;
  t->frame = frame;
  t->lane.patience = SIMT_ATOMICS_BEFORE_YIELD;
  if (simt_current_block->is_lazy)
    simt_lazy_wait(simt_current_block, t);
  else
    simt_fiber_switch(&t->stack, simt_current_block->scheduler);
}

static uint64_t collect(simt_kind kind, uint64_t mask, uint64_t value, uint64_t other) {
  simt_thread *t = simt_current_thread;
  t->kind = kind;
  t->mask = mask;
  t->value = value;
  t->other = other;
  simt_current_block->at_warp[t->index / 64] |= UINT64_C(1) << t->index % 64;
  wait_as(SIMT_AT_WARP, __builtin_return_address(0), __builtin_frame_address(0));
  return t->result;
}

static void workers(uint32_t (*count)(void), void (*region)(void), uint32_t most) {
  simt_lazy_workers(simt_current_block, count, region, most);
}

static void barrier(uint32_t id, uint32_t count) {
  simt_thread *t = simt_current_thread;
  t->barrier = id % SIMT_BARRIERS;
  t->is_aligned = (id & SIMT_ALIGNED) != 0;
  t->count = count;
  if (simt_current_block->region && t == simt_current_block->main) {
    t->site = __builtin_return_address(0);
    t->frame = __builtin_frame_address(0);
    simt_lazy_region(simt_current_block);
    return;
  }
  wait_as(SIMT_AT_BARRIER, __builtin_return_address(0), __builtin_frame_address(0));
}

static void yield(void) {
  wait_as(SIMT_READY, __builtin_return_address(0), __builtin_frame_address(0));
}

/* Allocates a shared variable at its first use.
 * Invariant: `offset` changes once, from 0 to its final value.
 * Ordering:  relaxed, because `offset` publishes no data.
 * Otherwise: host threads could place one variable twice.
 */
static void *shared(simt_shared *variable, _Atomic uint64_t *used) {
  simt_block *block = simt_current_block;
  uint64_t offset = solo_load_relaxed(&variable->offset);
  if (!offset) {
    uint64_t align = variable->align < 16 ? 16 : variable->align, none = 0;
    uint64_t space = (variable->bytes + 15) / 16 * 16 + align;
    uint64_t at = solo_add_relaxed(used, space);
    offset = (at + align - 1) / align * align + 1;
    if (offset - 1 + variable->bytes <= block->launch->shared_limit &&
        !solo_cas_relaxed(&variable->offset, &none, offset))
      offset = none;
  }
  if (offset - 1 + variable->bytes > block->launch->shared_limit) {
    simt_current_thread->site = __builtin_return_address(0);
    simt_current_thread->frame = __builtin_frame_address(0);
    simt_report(block, simt_current_thread, "needs more than %u bytes of shared memory",
                block->launch->shared_limit);
    block->result = SIMT_TOO_LARGE;
    simt_fiber_switch(&simt_current_thread->stack, block->scheduler);
  }
  return block->shared + offset - 1;
}

static _Noreturn void stop(simt_stop why, const simt_assertion *assertion) {
  simt_block *block = simt_current_block;
  simt_thread *t = simt_current_thread;
  t->site = __builtin_return_address(0);
  t->frame = __builtin_frame_address(0);
  if (why == SIMT_STOP_EXIT) {
    t->state = SIMT_ENDED;
    block->live--;
    if (block->is_lazy) simt_lazy_wait(block, t);
  } else if (why == SIMT_STOP_ASSERT) {
    simt_report(block, t, "%s:%u: %s: assertion `%s` failed", assertion->file, assertion->line,
                assertion->function, assertion->expression);
    block->result = SIMT_ASSERTED;
  } else {
    simt_report(block, t, "executed a trap instruction");
    block->result = SIMT_TRAPPED;
  }
  for (;;) simt_fiber_switch(&t->stack, block->scheduler);
}

static uint64_t clock_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t next_argument(void *context, unsigned bytes) {
  const char **next = context;
  uint64_t value = 0;
  uintptr_t at = ((uintptr_t)*next + bytes - 1) / bytes * bytes;
  memcpy(&value, (const void *)at, bytes);
  *next = (const char *)at + bytes;
  return value;
}

static const char *text(void *context) {
  return (const char *)(uintptr_t)next_argument(context, 8);
}

/* printf of device code. Arguments are aligned to their size (CUDA C++ Programming Guide,
 * "Formatted Output"). */
static int32_t print(const char *format, const void *packed) {
  char line[LINE];
  int32_t count;
  const char *next = packed;
  const solo_format_arguments arguments = {next_argument, text, &next};
  size_t used = solo_format(line, sizeof line, format, &arguments, &count);
  const simt_launch *launch = simt_current_block->launch;
  if (launch->print)
    launch->print(line, used);
  else
    fwrite(line, 1, used, stdout);
  return count;
}

/* Calls of C library functions by device code. tools/link_emit.c adds the table of these functions
 * to the program. */
typedef double one(double);
typedef double two(double, double);

typedef struct table {
#define XX(name) one *name;
  SOLO_SIMT_FUNCTIONS_1(XX)
#undef XX
#define XX(name) two *name;
  SOLO_SIMT_FUNCTIONS_2(XX)
#undef XX
} table;

extern const table solo_simt_math __attribute__((weak));

static double math(simt_function function, double x, double y) {
  if (!&solo_simt_math) {
    simt_report(simt_current_block, simt_current_thread,
                "calls a function of the C library, which the program does not contain");
    simt_current_thread->lane.calls->stop(SIMT_STOP_TRAP, NULL);
  }
  switch (function) {
#define XX(name)                                                                                   \
  case SIMT_MATH_##name:                                                                           \
    return solo_simt_math.name(x);
    SOLO_SIMT_FUNCTIONS_1(XX)
#undef XX
#define XX(name)                                                                                   \
  case SIMT_MATH_##name:                                                                           \
    return solo_simt_math.name(x, y);
    SOLO_SIMT_FUNCTIONS_2(XX)
#undef XX
  }
  return 0;
}

const simt_calls simt_executor_calls = {
    .collect = collect,
    .barrier = barrier,
    .yield = yield,
    .shared = shared,
    .allocate = simt_heap_allocate,
    .release = simt_heap_release,
    .print = print,
    .stop = stop,
    .clock_ns = clock_ns,
    .access = simt_access,
    .math = math,
    .workers = workers,
};
