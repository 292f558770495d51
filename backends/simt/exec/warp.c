/* Warp operations (docs/design/virtual-gpu.md). The mask of an operation has the lanes that must
 * participate. */
#include "backends/simt/exec/internal.h"

static simt_thread *lane_of(const simt_block *block, uint32_t warp, uint32_t lane) {
  uint32_t i = warp * block->launch->warp_size + lane;
  return i < block->threads ? &block->thread[i] : NULL;
}

static uint64_t combine(simt_kind kind, uint64_t a, uint64_t b) {
  uint32_t x = (uint32_t)a, y = (uint32_t)b;
  switch (kind) {
  case SIMT_ADD_U32:
    return (uint32_t)(x + y);
  case SIMT_MIN_U32:
    return x < y ? x : y;
  case SIMT_MAX_U32:
    return x > y ? x : y;
  case SIMT_MIN_S32:
    return (int32_t)x < (int32_t)y ? x : y;
  case SIMT_MAX_S32:
    return (int32_t)x > (int32_t)y ? x : y;
  case SIMT_AND:
    return a & b;
  case SIMT_OR:
    return a | b;
  default:
    return a ^ b;
  }
}

typedef struct warp_operation {
  simt_thread *lane[64];
  uint64_t here;
} warp_operation;

static uint64_t equal_lanes(const warp_operation *m, uint64_t value) {
  uint64_t lanes = 0;
  for (unsigned i = 0; i < 64; i++)
    if (m->here >> i & 1 && m->lane[i]->value == value) lanes |= 1ull << i;
  return lanes;
}

static uint64_t common_result(const warp_operation *m, simt_kind kind) {
  unsigned first = (unsigned)__builtin_ctzll(m->here);
  uint64_t result = m->lane[first]->value;
  switch (kind) {
  case SIMT_ACTIVE:
    return m->here;
  case SIMT_BALLOT:
    return m->here & ~equal_lanes(m, 0);
  case SIMT_MATCH_ALL:
    return equal_lanes(m, result) == m->here ? m->here : 0;
  case SIMT_ADD_U32:
  case SIMT_MIN_U32:
  case SIMT_MAX_U32:
  case SIMT_MIN_S32:
  case SIMT_MAX_S32:
  case SIMT_AND:
  case SIMT_OR:
  case SIMT_XOR:
    for (unsigned i = first + 1; i < 64; i++)
      if (m->here >> i & 1) result = combine(kind, result, m->lane[i]->value);
    return result;
  default:
    return result;
  }
}

static uint64_t own_result(const warp_operation *m, const simt_thread *t, uint64_t common) {
  uint64_t from = t->other;
  int is_here = from < 64 && m->here >> from & 1;
  switch (t->kind) {
  case SIMT_SHUFFLE:
    return is_here ? m->lane[from]->value : t->value;
  case SIMT_PERMUTE:
    return is_here ? m->lane[from]->value : 0;
  case SIMT_MATCH_ANY:
    return equal_lanes(m, t->value);
  default:
    return common;
  }
}

static unsigned hold(simt_block *block, const warp_operation *m, simt_kind kind) {
  uint64_t common = common_result(m, kind);
  unsigned count = 0;
  for (unsigned i = 0; i < 64; i++) {
    if (!(m->here >> i & 1)) continue;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the lane participates */
    m->lane[i]->result = own_result(m, m->lane[i], common);
    count++;
  }
  simt_thread *joining[64];
  uint32_t n = 0;
  for (unsigned i = 0; i < 64; i++) {
    if (!(m->here >> i & 1)) continue;
    simt_thread_set_ready(block, m->lane[i]);
    joining[n++] = m->lane[i];
  }
  simt_order_join(block, joining, n);
  return count;
}

/* Finds the warp's threads; returns the mask of live lanes. */
static uint64_t collect(const simt_block *block, uint32_t warp, warp_operation *m) {
  uint64_t live = 0;
  m->here = 0;
  for (uint32_t i = 0; i < 64; i++) {
    m->lane[i] = i < block->launch->warp_size ? lane_of(block, warp, i) : NULL;
    if (m->lane[i] && m->lane[i]->state != SIMT_ENDED) live |= 1ull << i;
  }
  return live;
}

/* Returns the lanes that wait in the same operation as t: those with the same mask, or, without a
 * mask, those at the same place in the code. */
static uint64_t companions(const warp_operation *m, const simt_thread *t) {
  uint64_t lanes = 0;
  for (unsigned i = 0; i < 64; i++) {
    const simt_thread *other = m->lane[i];
    if (other && other->state == SIMT_AT_WARP && other->kind == t->kind && other->mask == t->mask &&
        (t->mask || other->lane.place == t->lane.place))
      lanes |= 1ull << i;
  }
  return lanes;
}

static int goes_first(const simt_block *block, const simt_thread *a, const simt_thread *b) {
  size_t left_a = (size_t)((const char *)a->frame - block->stacks) % block->stack_bytes;
  size_t left_b = (size_t)((const char *)b->frame - block->stacks) % block->stack_bytes;
  if (left_a != left_b) return left_a < left_b;
  return a->lane.place < b->lane.place;
}

/* The common case: all threads of the warp are live and wait in the same operation. Returns 0 if not. */
static unsigned resolve_all(simt_block *block, uint32_t warp) {
  uint32_t size = block->launch->warp_size, first = warp * size;
  simt_thread *of = &block->thread[first];
  if (first + size > block->threads || block->launch->checks_races) return 0;
  if (of->mask && (of->mask & simt_low_bits(size)) != simt_low_bits(size)) return 0;
  for (uint32_t i = 0; i < size; i++)
    if (of[i].state != SIMT_AT_WARP || of[i].kind != of->kind || of[i].mask != of->mask ||
        (!of->mask && of[i].lane.place != of->lane.place))
      return 0;
  if (of->kind == SIMT_SYNC) {
  } else if (of->kind == SIMT_SHUFFLE) {
    for (uint32_t i = 0; i < size; i++)
      of[i].result = of[of[i].other < size ? of[i].other : i].value;
  } else {
    warp_operation m = {.here = simt_low_bits(size)};
    for (uint32_t i = 0; i < size; i++) m.lane[i] = &of[i];
    uint64_t common = common_result(&m, of->kind);
    for (uint32_t i = 0; i < size; i++) of[i].result = own_result(&m, &of[i], common);
  }
  for (uint32_t i = 0; i < size; i++) of[i].state = SIMT_READY;
  block->ready[first / 64] |= simt_low_bits(size) << first % 64;
  return size;
}

unsigned simt_warp_resolve(simt_block *block, uint32_t warp) {
  unsigned all = resolve_all(block, warp);
  if (all) return all;
  warp_operation m;
  uint64_t live = collect(block, warp, &m);
  const simt_thread *first = NULL;
  unsigned count = 0;
  for (unsigned i = 0; i < 64; i++) {
    simt_thread *t = m.lane[i];
    if (!t || t->state != SIMT_AT_WARP) continue;
    if (!t->mask) {
      if (!first || goes_first(block, t, first)) first = t;
      continue;
    }
    m.here = companions(&m, t);
    if ((m.here & t->mask & live) == (t->mask & live)) count += hold(block, &m, t->kind);
  }
  if (count || !first) return count;
  m.here = companions(&m, first);
  return hold(block, &m, first->kind);
}

unsigned simt_warp_break(simt_block *block) {
  for (uint32_t warp = 0; warp < block->warps; warp++) {
    warp_operation m;
    uint64_t live = collect(block, warp, &m);
    for (unsigned i = 0; i < 64; i++) {
      simt_thread *t = m.lane[i];
      if (!t || t->state != SIMT_AT_WARP || !t->mask) continue;
      m.here = companions(&m, t);
      simt_report(block, t,
                  "waits for lanes 0x%llx of its warp, but lanes 0x%llx cannot arrive; continuing "
                  "with 0x%llx (undefined on a GPU)",
                  (unsigned long long)t->mask, (unsigned long long)(t->mask & live & ~m.here),
                  (unsigned long long)m.here);
      return hold(block, &m, t->kind);
    }
  }
  return 0;
}
