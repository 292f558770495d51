/* Converts descriptors and kernel arguments of all supported compilers. */
#ifndef SOLO_ABI_TGT_UPGRADE_H
#define SOLO_ABI_TGT_UPGRADE_H

#include "abi/tgt_types.h"
#include "runtime/device/registry.h"
#include "runtime/launch/launch.h"

solo_status tgt_read_descriptor(const tgt_bin_desc *descriptor,
                                solo_library_source *out_source) SOLO_MUST_CHECK;

SOLO_INLINE void tgt_read_map_list(const tgt_kernel_args *args, solo_launch_request *out) {
  out->list.count = (int32_t)args->count;
  out->list.bases = args->bases;
  out->list.begins = args->begins;
  out->list.sizes = args->sizes;
  out->list.types = args->types;
  out->list.names = args->names;
  out->list.mappers = args->mappers;
  out->trip_count = args->trip_count;
}

/* Converts arguments of version 1 or 2. SOLO_UNSUPPORTED: another version. */
solo_status tgt_read_old_kernel_args(const tgt_kernel_args *args,
                                     solo_launch_request *out_request) SOLO_MUST_CHECK SOLO_COLD;

/* Converts arguments of all versions. Does not set out->key and out->where. */
SOLO_INLINE SOLO_MUST_CHECK solo_status tgt_read_kernel_args(const tgt_kernel_args *args,
                                                             solo_launch_request *out) {
  if (SOLO_UNLIKELY(args->version != 3)) return tgt_read_old_kernel_args(args, out);
  tgt_read_map_list(args, out);
  for (int d = 0; d < 3; d++) {
    out->teams[d] = args->num_teams[d];
    out->threads[d] = args->thread_limit[d];
  }
  out->shared_bytes = args->shared_bytes;
  out->flags = (args->flags & TGT_KERNEL_NOWAIT ? SOLO_LAUNCH_NOWAIT : 0) |
               (args->flags & TGT_KERNEL_CUDA ? SOLO_LAUNCH_EXACT : 0);
  return SOLO_OK;
}

#endif
