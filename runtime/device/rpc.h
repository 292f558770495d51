/* Calls of kernels to the host, as in LLVM 20 to 22: an image's variable __llvm_rpc_client points
 * to memory of both sides, and a host thread answers (print, malloc, exit, host functions). Images
 * for NVIDIA always have the variable, so an idle thread polls rarely.
 *
 * The memory (abi-facts 7.7) has ports. A warp locks a port and writes its opcode and lane mask;
 * then warp and host alternate with 64-byte packets per lane. Two words of the port, one for each
 * side, show the turn. Threads: both functions need the device's lock. */
#ifndef SOLO_RPC_H
#define SOLO_RPC_H

#include "runtime/device/module.h"

/* Called before kernels run. INCOMPATIBLE: unknown variable. *out_server: NULL if there is none. */
solo_status solo_rpc_loaded(solo_device *device, solo_module *module,
                            solo_rpc **out_server) SOLO_MUST_CHECK;

/* Called when the kernels will not run again. */
void solo_rpc_leaving(solo_rpc *server);

#endif
