/* Calls from kernels to the host (print, malloc, exit, host functions), as in LLVM 20 to 22. An
 * image's variable __llvm_rpc_client points to memory of both sides; a host thread serves the
 * calls. Images for NVIDIA GPUs always have it, so an idle thread must poll rarely.
 *
 * The memory (abi-facts 7.7) has ports. A warp locks a port and writes its opcode and lane mask.
 * Then warp and host alternately write packets of 64 bytes per lane. Two words of the port, one per
 * side, show the turn. Threads: both functions need the device's lock. */
#ifndef SOLO_RPC_H
#define SOLO_RPC_H

#include "runtime/device/module.h"

/* Starts an image's server before its kernels run. *out_server: owned by the module; NULL: no
 * calls. INCOMPATIBLE: unsupported layout of the variable. */
solo_status solo_rpc_loaded(solo_device *device, solo_module *module,
                            solo_rpc **out_server) SOLO_MUST_CHECK;

/* Ends the server thread and frees the server. The image's kernels do not run again. */
void solo_rpc_leaving(solo_rpc *server);

#endif
