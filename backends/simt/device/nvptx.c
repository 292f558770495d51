/* Intrinsics of NVPTX (llvm.nvvm.*), vprintf and assert. Sources: PTX ISA; LLVM's NVPTX usage
 * guide. */
#include "backends/simt/device/self.h"

#define DIMENSIONS(name, field)                                                                    \
  SIMT_INLINED u32 simt_nvvm_read_ptx_sreg_##name##_x(void) {                                      \
    return simt_self()->field[0];                                                                  \
  }                                                                                                \
  SIMT_INLINED u32 simt_nvvm_read_ptx_sreg_##name##_y(void) {                                      \
    return simt_self()->field[1];                                                                  \
  }                                                                                                \
  SIMT_INLINED u32 simt_nvvm_read_ptx_sreg_##name##_z(void) {                                      \
    return simt_self()->field[2];                                                                  \
  }
DIMENSIONS(tid, thread)
DIMENSIONS(ntid, threads)
DIMENSIONS(ctaid, block)
DIMENSIONS(nctaid, blocks)

SIMT_INLINED u32 simt_nvvm_read_ptx_sreg_laneid(void) {
  return simt_self()->lane;
}
SIMT_INLINED u32 simt_nvvm_read_ptx_sreg_warpid(void) {
  return simt_self()->warp;
}
SIMT_INLINED u32 simt_nvvm_read_ptx_sreg_warpsize(void) {
  return 32;
}
SIMT_INLINED u32 simt_nvvm_read_ptx_sreg_lanemask_lt(void) {
  return (1u << simt_self()->lane) - 1;
}
SIMT_INLINED u32 simt_nvvm_read_ptx_sreg_lanemask_le(void) {
  return (2u << simt_self()->lane) - 1;
}
SIMT_INLINED u32 simt_nvvm_read_ptx_sreg_lanemask_eq(void) {
  return 1u << simt_self()->lane;
}
SIMT_INLINED u32 simt_nvvm_read_ptx_sreg_lanemask_gt(void) {
  return ~((2u << simt_self()->lane) - 1);
}
SIMT_INLINED u32 simt_nvvm_read_ptx_sreg_lanemask_ge(void) {
  return ~((1u << simt_self()->lane) - 1);
}
SIMT_INLINED u32 simt_nvvm_read_ptx_sreg_dynamic_smem_size(void) {
  return simt_self()->dynamic_bytes;
}
SIMT_INLINED u32 simt_nvvm_read_ptx_sreg_clock(void) {
  return (u32)simt_self()->calls->clock_ns();
}
SIMT_INLINED u64 simt_nvvm_read_ptx_sreg_clock64(void) {
  return simt_self()->calls->clock_ns();
}
SIMT_INLINED u64 simt_nvvm_read_ptx_sreg_globaltimer(void) {
  return simt_self()->calls->clock_ns();
}

SIMT_INLINED void simt_nvvm_barrier0(void) {
  simt_self()->calls->barrier(0 | SIMT_ALIGNED, 0);
}
SIMT_INLINED void simt_nvvm_bar_sync(u32 id) {
  simt_self()->calls->barrier(id | SIMT_ALIGNED, 0);
}
SIMT_INLINED void simt_nvvm_barrier_sync(u32 id) {
  simt_self()->calls->barrier(id, 0);
}
SIMT_INLINED void simt_nvvm_barrier_sync_cnt(u32 id, u32 count) {
  simt_self()->calls->barrier(id, count);
}
SIMT_INLINED void simt_nvvm_barrier(u32 id, u32 count) {
  simt_self()->calls->barrier(id, count);
}
SIMT_INLINED void simt_nvvm_barrier_n(u32 id) {
  simt_self()->calls->barrier(id | SIMT_ALIGNED, 0);
}
SIMT_INLINED void simt_nvvm_barrier_cta_sync_aligned_all(u32 id) {
  simt_self()->calls->barrier(id | SIMT_ALIGNED, 0);
}
SIMT_INLINED void simt_nvvm_barrier_cta_sync_all(u32 id) {
  simt_self()->calls->barrier(id, 0);
}
SIMT_INLINED void simt_nvvm_barrier_cta_sync_count(u32 id, u32 count) {
  simt_self()->calls->barrier(id, count);
}
SIMT_INLINED void simt_nvvm_barrier_cta_sync_aligned_count(u32 id, u32 count) {
  simt_self()->calls->barrier(id, count);
}
SIMT_INLINED void simt_nvvm_bar_warp_sync(u32 mask) {
  simt_self()->calls->collect(SIMT_SYNC, mask, 0, 0);
}
SIMT_INLINED void simt_nvvm_membar_cta(void) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
SIMT_INLINED void simt_nvvm_membar_gl(void) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
SIMT_INLINED void simt_nvvm_membar_sys(void) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
SIMT_INLINED void simt_nvvm_nanosleep(u32 ns) {
  (void)ns;
  simt_self()->calls->yield();
}
SIMT_INLINED void simt_nvvm_exit(void) {
  simt_self()->calls->stop(SIMT_STOP_EXIT, 0);
}

SIMT_INLINED u32 simt_nvvm_activemask(void) {
  return (u32)simt_self()->calls->collect(SIMT_ACTIVE, 0, 0, 0);
}
SIMT_INLINED u32 simt_nvvm_vote_ballot_sync(u32 mask, _Bool value) {
  return (u32)simt_self()->calls->collect(SIMT_BALLOT, mask, value, 0);
}
SIMT_INLINED _Bool simt_nvvm_vote_any_sync(u32 mask, _Bool value) {
  return simt_self()->calls->collect(SIMT_BALLOT, mask, value, 0) != 0;
}
SIMT_INLINED _Bool simt_nvvm_vote_all_sync(u32 mask, _Bool value) {
  return simt_self()->calls->collect(SIMT_BALLOT, mask, !value, 0) == 0;
}
SIMT_INLINED _Bool simt_nvvm_vote_uni_sync(u32 mask, _Bool value) {
  return simt_self()->calls->collect(SIMT_MATCH_ALL, mask, value, 0) != 0;
}
SIMT_INLINED u32 simt_nvvm_match_any_sync_i32(u32 mask, u32 value) {
  return (u32)simt_self()->calls->collect(SIMT_MATCH_ANY, mask, value, 0);
}
SIMT_INLINED u32 simt_nvvm_match_any_sync_i64(u32 mask, u64 value) {
  return (u32)simt_self()->calls->collect(SIMT_MATCH_ANY, mask, value, 0);
}

/* c: clamp in bits 0 to 4, segment mask from bit 8 (PTX ISA, shfl.sync). A lane reads its own
 * value if its source is outside of the segment. */
typedef struct segment {
  u32 lane, low, high;
} segment;

static inline segment segment_of(u32 c) {
  u32 lane = simt_self()->lane, mask = c >> 8 & 31, clamp = c & 31;
  return (segment){lane, lane & mask, (lane & mask) | (clamp & ~mask)};
}

#define SHUFFLE(name, lane_expression, in_range)                                                   \
  static inline u32 shuffle_##name(u32 mask, u32 value, u32 b, u32 c) {                            \
    segment s = segment_of(c);                                                                     \
    int from = (int)(lane_expression);                                                             \
    if (!(in_range)) from = (int)s.lane;                                                           \
    return (u32)simt_self()->calls->collect(SIMT_SHUFFLE, mask, value, (u64)(u32)from);            \
  }                                                                                                \
  SIMT_INLINED u32 simt_nvvm_shfl_sync_##name##_i32(u32 mask, u32 value, u32 b, u32 c) {           \
    return shuffle_##name(mask, value, b, c);                                                      \
  }                                                                                                \
  SIMT_INLINED float simt_nvvm_shfl_sync_##name##_f32(u32 mask, float value, u32 b, u32 c) {       \
    union {                                                                                        \
      float f;                                                                                     \
      u32 u;                                                                                       \
    } bits = {.f = value};                                                                         \
    bits.u = shuffle_##name(mask, bits.u, b, c);                                                   \
    return bits.f;                                                                                 \
  }
SHUFFLE(down, s.lane + (b & 31), from <= (int)s.high)
SHUFFLE(up, s.lane - (b & 31), from >= (int)s.high)
SHUFFLE(bfly, s.lane ^ (b & 31), from <= (int)s.high)
SHUFFLE(idx, s.low | (b & 31 & ~(c >> 8 & 31)), from <= (int)s.high)

#define REDUCE(name, kind)                                                                         \
  SIMT_INLINED u32 simt_nvvm_redux_sync_##name(u32 value, u32 mask) {                              \
    return (u32)simt_self()->calls->collect(kind, mask, value, 0);                                 \
  }
REDUCE(add, SIMT_ADD_U32)
REDUCE(umin, SIMT_MIN_U32)
REDUCE(umax, SIMT_MAX_U32)
REDUCE(min, SIMT_MIN_S32)
REDUCE(max, SIMT_MAX_S32)
REDUCE(and, SIMT_AND)
REDUCE(or, SIMT_OR)
REDUCE(xor, SIMT_XOR)

SIMT_INLINED _Bool simt_nvvm_isspacep_shared(const void *at) {
  const simt_lane *lane = simt_self();
  return (u64)((const char *)at - lane->shared_begin) < lane->shared_bytes;
}
SIMT_INLINED _Bool simt_nvvm_isspacep_global(const void *at) {
  return !simt_nvvm_isspacep_shared(at);
}

/* Increments to the limit, then wraps to 0 (PTX ISA, atom.inc). */
SIMT_INLINED u32 simt_nvvm_atomic_load_inc_32_p0(u32 *at, u32 limit) {
  u32 old = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(at, &old, old >= limit ? 0 : old + 1, 0, __ATOMIC_SEQ_CST,
                                      __ATOMIC_RELAXED)) {
  }
  return old;
}
SIMT_INLINED u32 simt_nvvm_atomic_load_inc_32_p1(u32 *at, u32 limit) {
  return simt_nvvm_atomic_load_inc_32_p0(at, limit);
}
SIMT_INLINED u32 simt_nvvm_atomic_load_dec_32_p0(u32 *at, u32 limit) {
  u32 old = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(at, &old, old == 0 || old > limit ? limit : old - 1, 0,
                                      __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
  }
  return old;
}

SIMT_INLINED int32_t vprintf(const char *format, const void *arguments) {
  return simt_self()->calls->print(format, arguments);
}
SIMT_INLINED void __assertfail(const char *expression, const char *file, u32 line,
                               const char *function, u64 size) {
  (void)size;
  const simt_assertion a = {expression, file, function, line};
  simt_self()->calls->stop(SIMT_STOP_ASSERT, &a);
}
