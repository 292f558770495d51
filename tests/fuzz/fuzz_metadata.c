/* Fuzz target: the metadata note of amdgcn code objects. */
#include "runtime/image/amdgpu_metadata.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  solo_amdgpu_metadata metadata;
  if (solo_amdgpu_metadata_read(solo_span_of(data, size), &metadata) != SOLO_OK) return 0;
  solo_msgpack kernels = metadata.kernels;
  for (uint32_t k = 0; k < metadata.kernel_count; k++) {
    solo_amdgpu_kernel kernel;
    /* solo_amdgpu_metadata_open() has validated every kernel */
    if (solo_amdgpu_kernel_next(&kernels, &kernel) != SOLO_OK) abort();
    solo_msgpack arguments = kernel.arguments;
    for (uint32_t a = 0; a < kernel.argument_count; a++) {
      solo_amdgpu_argument argument;
      if (solo_amdgpu_argument_next(&arguments, &argument) != SOLO_OK) abort();
      if (!solo_amdgpu_argument_is_hidden(argument.kind) &&
          argument.offset + argument.size > kernel.kernarg_size)
        abort();
    }
  }
  return 0;
}
