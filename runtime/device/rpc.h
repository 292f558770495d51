/* Calls from kernels to the host (print, malloc, exit, host functions), as in LLVM 20 to 22. The
 * variable __llvm_rpc_client of an image points to memory that both sides access. A host thread
 * serves the calls. Images for NVIDIA GPUs always have the variable, so the thread must poll rarely
 * while it is idle.
 *
 * The memory (abi-facts 7.7) has ports. A warp locks a port and writes its opcode and lane mask.
 * Then warp and host alternately write packets of 64 bytes per lane. Two words of the port, one per
 * side, indicate the turn. The caller holds the device's lock. */
#ifndef SOLO_RPC_H
#define SOLO_RPC_H

#include "runtime/device/module.h"

/* Starts the server of an image before its kernels run. *out_server belongs to the module; NULL:
 * the image makes no calls. INCOMPATIBLE: unsupported layout of the variable. */
solo_status solo_rpc_loaded(solo_device *device, solo_module *module,
                            solo_rpc **out_server) SOLO_MUST_CHECK;

/* Ends the server thread and frees the server. The image's kernels must not run again. */
void solo_rpc_leaving(solo_rpc *server);

#endif
