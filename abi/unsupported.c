/* Unsupported entry points of LLVM's libomptarget, to which programs and tools refer. */
#include "abi/tgt_types.h"
#include "runtime/base/log.h"
#include "runtime/base/platform.h"
#include <stdbool.h>

enum { FAILED = -1 };

SOLO_EXPORT int __tgt_activate_record_replay(int64_t device, uint64_t bytes, void *address,
                                             bool is_record, bool save_output,
                                             uint64_t *out_offset);
SOLO_EXPORT int __tgt_target_kernel_replay(ident_t *loc, int64_t device, void *host_ptr,
                                           void *device_memory, int64_t device_memory_bytes,
                                           void **arguments, ptrdiff_t *offsets, int32_t count,
                                           int32_t teams, int32_t thread_limit,
                                           uint64_t trip_count);
SOLO_EXPORT void ompt_libomptarget_connect(void *result);

int __tgt_activate_record_replay(int64_t device, uint64_t bytes, void *address, bool is_record,
                                 bool save_output, uint64_t *out_offset) {
  (void)bytes, (void)address, (void)is_record, (void)save_output;
  if (out_offset) *out_offset = 0;
  solo_warn("kernel record and replay is not supported (device %lld)", (long long)device);
  return FAILED;
}

int __tgt_target_kernel_replay(ident_t *loc, int64_t device, void *host_ptr, void *device_memory,
                               int64_t device_memory_bytes, void **arguments, ptrdiff_t *offsets,
                               int32_t count, int32_t teams, int32_t thread_limit,
                               uint64_t trip_count) {
  (void)loc, (void)host_ptr, (void)device_memory, (void)device_memory_bytes, (void)arguments;
  (void)offsets, (void)count, (void)teams, (void)thread_limit, (void)trip_count;
  solo_warn("kernel record and replay is not supported (device %lld)", (long long)device);
  return FAILED;
}

void ompt_libomptarget_connect(void *result) {
  (void)result;
}
