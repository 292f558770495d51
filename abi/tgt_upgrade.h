/* One place that knows versions: descriptors and kernel arguments of every supported compiler
 * become what the runtime takes.
 */
#ifndef SOLO_ABI_TGT_UPGRADE_H
#define SOLO_ABI_TGT_UPGRADE_H

#include "abi/tgt_types.h"
#include "runtime/device/registry.h"
#include "runtime/launch/launch.h"

/* A registered descriptor as a library source. INVALID, naming what is wrong. */
solo_status tgt_read_descriptor(const tgt_bin_desc *descriptor,
                                solo_library_source *out_source) SOLO_MUST_CHECK;

/* Versions 1 to 3. UNSUPPORTED: a later compiler's. */
solo_status tgt_read_kernel_args(const tgt_kernel_args *args,
                                 solo_launch_request *out_request) SOLO_MUST_CHECK SOLO_COLD;

#endif
