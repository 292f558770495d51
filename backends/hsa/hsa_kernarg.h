/* The kernarg segment of a launch: the arguments, then the hidden arguments. The layout is computed
 * once per kernel, from the code object's metadata.
 *
 * Errors: SOLO_BAD_IMAGE for inconsistent metadata, SOLO_INVALID for an unsuitable launch. Source:
 * LLVM's AMDGPU usage guide, hidden kernel arguments of code object versions 3 to 6. */
#ifndef SOLO_HSA_KERNARG_H
#define SOLO_HSA_KERNARG_H

#include "runtime/image/amdgpu_metadata.h"

enum { SOLO_HSA_KERNARG_FIELDS = 32 }; /* limit; there are 24 kinds of hidden arguments */

typedef struct solo_hsa_kernarg_field {
  uint16_t offset;
  uint8_t size;
  uint8_t kind;
} solo_hsa_kernarg_field;

typedef struct solo_hsa_kernarg_layout {
  uint32_t size;
  uint32_t align;
  uint32_t explicit_size; /* end of the last explicit argument */
  uint32_t field_count;   /* number of hidden arguments that can be nonzero */
  solo_hsa_kernarg_field fields[SOLO_HSA_KERNARG_FIELDS];
} solo_hsa_kernarg_layout;

/* Values of hidden arguments; 0: not available, as in HSA's loader. */
typedef struct solo_hsa_launch_values {
  uint32_t teams[3];
  uint32_t threads[3];
  uint32_t dynamic_lds;
  uint32_t private_base, shared_base; /* high halves of the apertures, before gfx9 */
  uint64_t printf_buffer, hostcall_buffer, heap, default_queue, completion_action, multigrid_sync;
  uint64_t queue;
} solo_hsa_launch_values;

solo_status solo_hsa_kernarg_layout_of(const solo_amdgpu_kernel *kernel,
                                       solo_hsa_kernarg_layout *out) SOLO_MUST_CHECK;

/* A launch passes the explicit size, or that size rounded up to 8-byte slots. */
SOLO_INLINE bool solo_hsa_kernarg_accepts(const solo_hsa_kernarg_layout *layout, uint32_t bytes) {
  return bytes >= layout->explicit_size && bytes <= ((layout->explicit_size + 7) & ~UINT32_C(7));
}

solo_status solo_hsa_kernarg_fill(const solo_hsa_kernarg_layout *layout,
                                  const solo_hsa_launch_values *values, const void *arguments,
                                  uint32_t argument_bytes, void *segment) SOLO_MUST_CHECK;

uint64_t solo_hsa_hidden_value(const solo_hsa_launch_values *values,
                               solo_amdgpu_argument_kind kind);

#endif
