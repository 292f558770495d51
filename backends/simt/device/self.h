/* Access to the simt_lane of the calling GPU thread. The files of this folder are compiled to
 * bitcode, which is inlined into kernels. */
#ifndef SIMT_SELF_H
#define SIMT_SELF_H

#include "backends/simt/exec/lane.h"

typedef uint32_t u32;
typedef uint64_t u64;

/* The pointer is at offset 8 of the gs base. */
typedef const simt_lane *simt_lane_pointer;
static inline const simt_lane *simt_self(void) {
  return *(simt_lane_pointer __attribute__((address_space(256))) *)8;
}

/* At offset 16: the shared memory of the block. */
typedef char *simt_memory_pointer;
static inline char *simt_shared_memory(void) {
  return *(simt_memory_pointer __attribute__((address_space(256))) *)16;
}

/* Functions that become internal after linking. SIMT_KEPT: not removed if unused, because the code
 * generator may emit calls later. */
#define SIMT_INTRINSIC __attribute__((visibility("hidden")))
#define SIMT_INLINED   __attribute__((visibility("hidden"), always_inline))
#define SIMT_KEPT      __attribute__((visibility("hidden"), used))

static inline u32 simt_lanes_of_warp(const simt_lane *lane) {
  u32 all = lane->threads[0] * lane->threads[1] * lane->threads[2],
      first = lane->warp * lane->warp_size;
  return all - first < lane->warp_size ? all - first : lane->warp_size;
}

#endif
