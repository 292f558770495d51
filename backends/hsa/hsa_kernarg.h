/* The kernel argument segment of a launch: the caller's arguments and the hidden ones behind them.
 *
 * A layout is made once per kernel from the code object's metadata; filling a segment from it is a
 * copy, a clear and a store per hidden argument that the kernel really has. Pure functions, nothing
 * of HSA's runtime: tests print whole segments without a device.
 *
 * Ownership: a layout is a value. Threads: pure functions. Errors: BAD_IMAGE for metadata that does
 * not fit its own segment size, INVALID for a launch that does not fit the kernel. Units: bytes.
 * Source: LLVM's AMDGPU usage guide, hidden kernel arguments of code object versions 3 to 6. Which
 * of them a kernel has, and where, is taken from its metadata alone.
 */
#ifndef SOLO_HSA_KERNARG_H
#define SOLO_HSA_KERNARG_H

#include "runtime/image/amdgpu_metadata.h"

enum { SOLO_HSA_KERNARG_FIELDS = 32 }; /* there are 24 kinds of hidden arguments */

typedef struct solo_hsa_kernarg_field {
  uint16_t offset;
  uint8_t size; /* 1 to 8 */
  uint8_t kind; /* solo_amdgpu_argument_kind */
} solo_hsa_kernarg_field;

typedef struct solo_hsa_kernarg_layout {
  uint32_t size;          /* of the segment */
  uint32_t align;         /* a power of two */
  uint32_t explicit_size; /* what the caller passes, to the end of its last argument */
  uint32_t field_count;   /* hidden arguments that can be other than zero */
  solo_hsa_kernarg_field fields[SOLO_HSA_KERNARG_FIELDS];
} solo_hsa_kernarg_layout;

/* What hidden arguments can ask for. Zero: not there; what a kernel asks for and is not there stays
 * zero, as HSA's own loader leaves it. */
typedef struct solo_hsa_launch_values {
  uint32_t teams[3];   /* each >= 1 */
  uint32_t threads[3]; /* each >= 1 */
  uint32_t dynamic_lds;
  uint32_t private_base,
      shared_base; /* high halves of the apertures, for processors without them */
  uint64_t printf_buffer, hostcall_buffer, heap, default_queue, completion_action, multigrid_sync;
  uint64_t queue; /* address of the hsa_queue_t */
} solo_hsa_launch_values;

solo_status solo_hsa_kernarg_layout_of(const solo_amdgpu_kernel *kernel,
                                       solo_hsa_kernarg_layout *out) SOLO_MUST_CHECK;

/* May a launch pass so many bytes? The explicit size, or that rounded up to 8 (OpenMP passes 8-byte
 * slots). */
SOLO_INLINE bool solo_hsa_kernarg_takes(const solo_hsa_kernarg_layout *layout, uint32_t bytes) {
  return bytes >= layout->explicit_size && bytes <= ((layout->explicit_size + 7) & ~UINT32_C(7));
}

/* Fills the layout->size bytes at segment from the caller's arguments. Hot path. */
solo_status solo_hsa_kernarg_fill(const solo_hsa_kernarg_layout *layout,
                                  const solo_hsa_launch_values *values, const void *arguments,
                                  uint32_t argument_bytes, void *segment) SOLO_MUST_CHECK;

/* The value that a hidden argument of this kind has in such a launch. */
uint64_t solo_hsa_hidden_value(const solo_hsa_launch_values *values,
                               solo_amdgpu_argument_kind kind);

#endif
