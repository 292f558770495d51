/* ompx.h: Clang's kernel-language extensions for C and C++. On a CPU a block is a team: dimension 0
 * is its parallel region; dimensions 1 and 2 are nested regions. On GPUs the compiler's device
 * runtime defines the functions. */
#ifndef SOLO_OMPX_H
#define SOLO_OMPX_H
#define __OMPX_H 1

#include <stdint.h>

#ifdef __AMDGCN_WAVEFRONT_SIZE
#define SOLO_OMPX_WARP __AMDGCN_WAVEFRONT_SIZE
#else
#define SOLO_OMPX_WARP 32
#endif

#ifdef __cplusplus
extern "C" {
#endif

int omp_get_ancestor_thread_num(int level);
int omp_get_team_size(int level);

enum {
  ompx_relaxed = __ATOMIC_RELAXED,
  ompx_aquire = __ATOMIC_ACQUIRE, /* Clang's spelling */
  ompx_acquire = __ATOMIC_ACQUIRE,
  ompx_release = __ATOMIC_RELEASE,
  ompx_acq_rel = __ATOMIC_ACQ_REL,
  ompx_seq_cst = __ATOMIC_SEQ_CST
};
enum { ompx_dim_x = 0, ompx_dim_y = 1, ompx_dim_z = 2 };

#pragma omp begin declare variant match(device = {kind(cpu)})
static inline int ompx_thread_id(int dim) {
  return omp_get_ancestor_thread_num(dim + 1);
}
static inline int ompx_block_dim(int dim) {
  return omp_get_team_size(dim + 1);
}
static inline int ompx_block_id(int dim) {
  (void)dim;
  return 0;
}
static inline int ompx_grid_dim(int dim) {
  (void)dim;
  return 1;
}
static inline void ompx_sync_block(int ordering) {
  (void)ordering;
#pragma omp barrier
}
static inline void ompx_sync_block_acq_rel(void) {
  ompx_sync_block(ompx_acq_rel);
}
static inline void ompx_sync_block_divergent(int ordering) {
  ompx_sync_block(ordering);
}
/* The warp functions trap, because a CPU has no warps. */
static inline uint64_t ompx_ballot_sync(uint64_t mask, int pred) {
  (void)mask, (void)pred;
  __builtin_trap();
}
#define SOLO_OMPX_SHUFFLE(type, suffix)                                                            \
  static inline type ompx_shfl_down_sync_##suffix(uint64_t mask, type value, unsigned delta,       \
                                                  int width) {                                     \
    (void)mask, (void)value, (void)delta, (void)width;                                             \
    __builtin_trap();                                                                              \
  }
SOLO_OMPX_SHUFFLE(int, i)
SOLO_OMPX_SHUFFLE(float, f)
SOLO_OMPX_SHUFFLE(long, l)
SOLO_OMPX_SHUFFLE(double, d)
#undef SOLO_OMPX_SHUFFLE
#pragma omp end declare variant

#define SOLO_OMPX_GRID(name)                                                                       \
  int ompx_##name(int dim);                                                                        \
  static inline int ompx_##name##_x(void) {                                                        \
    return ompx_##name(ompx_dim_x);                                                                \
  }                                                                                                \
  static inline int ompx_##name##_y(void) {                                                        \
    return ompx_##name(ompx_dim_y);                                                                \
  }                                                                                                \
  static inline int ompx_##name##_z(void) {                                                        \
    return ompx_##name(ompx_dim_z);                                                                \
  }
SOLO_OMPX_GRID(thread_id)
SOLO_OMPX_GRID(block_dim)
SOLO_OMPX_GRID(block_id)
SOLO_OMPX_GRID(grid_dim)
#undef SOLO_OMPX_GRID

void ompx_sync_block(int ordering);
void ompx_sync_block_acq_rel(void);
void ompx_sync_block_divergent(int ordering);
uint64_t ompx_ballot_sync(uint64_t mask, int pred);
int ompx_shfl_down_sync_i(uint64_t mask, int value, unsigned delta, int width);
float ompx_shfl_down_sync_f(uint64_t mask, float value, unsigned delta, int width);
long ompx_shfl_down_sync_l(uint64_t mask, long value, unsigned delta, int width);
double ompx_shfl_down_sync_d(uint64_t mask, double value, unsigned delta, int width);

#ifdef __cplusplus
}

namespace ompx {
enum { dim_x = ompx_dim_x, dim_y = ompx_dim_y, dim_z = ompx_dim_z };
enum {
  relaxed = ompx_relaxed,
  aquire = ompx_aquire,
  acquire = ompx_acquire,
  release = ompx_release,
  acc_rel = ompx_acq_rel,
  acq_rel = ompx_acq_rel,
  seq_cst = ompx_seq_cst
};
#define SOLO_OMPX_GRID(name)                                                                       \
  static inline int name(int dim) noexcept {                                                       \
    return ompx_##name(dim);                                                                       \
  }                                                                                                \
  static inline int name##_x() noexcept {                                                          \
    return ompx_##name(ompx_dim_x);                                                                \
  }                                                                                                \
  static inline int name##_y() noexcept {                                                          \
    return ompx_##name(ompx_dim_y);                                                                \
  }                                                                                                \
  static inline int name##_z() noexcept {                                                          \
    return ompx_##name(ompx_dim_z);                                                                \
  }
SOLO_OMPX_GRID(thread_id)
SOLO_OMPX_GRID(block_dim)
SOLO_OMPX_GRID(block_id)
SOLO_OMPX_GRID(grid_dim)
#undef SOLO_OMPX_GRID
static inline void sync_block(int ordering = acq_rel) {
  ompx_sync_block(ordering);
}
static inline void sync_block_divergent(int ordering = acq_rel) {
  ompx_sync_block_divergent(ordering);
}
static inline uint64_t ballot_sync(uint64_t mask, int pred) {
  return ompx_ballot_sync(mask, pred);
}
#define SOLO_OMPX_SHUFFLE(type, suffix)                                                            \
  static inline type shfl_down_sync(uint64_t mask, type value, unsigned delta,                     \
                                    int width = SOLO_OMPX_WARP) {                                  \
    return ompx_shfl_down_sync_##suffix(mask, value, delta, width);                                \
  }
SOLO_OMPX_SHUFFLE(int, i)
SOLO_OMPX_SHUFFLE(float, f)
SOLO_OMPX_SHUFFLE(long, l)
SOLO_OMPX_SHUFFLE(double, d)
#undef SOLO_OMPX_SHUFFLE
} // namespace ompx
#endif

#endif
