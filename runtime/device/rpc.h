/* Calls of kernels to the host, as LLVM has them from version 20 on: an image has a variable,
 * __llvm_rpc_client, that the GPU C library and the device runtime call the host through (print, malloc, exit,
 * host functions). The host gives it memory that both reach, and a thread that answers. LLVM puts the variable into every
 * image for NVIDIA, used or not, so the thread looks rarely while nobody calls.
 *
 * The memory (abi-facts 7.7) is divided into ports. A warp takes one with a lock of its own, writes its opcode and
 * the mask of its lanes, and in turn with the host a packet of 64 bytes for each lane: the port's two words, one
 * written by each side, say whose turn it is.
 *
 * Threads: solo_rpc_loaded and solo_rpc_leaving with the device's lock held; one thread of the server
 * does the rest. Errors: as for solo_fail. Units: bytes.
 */
#ifndef SOLO_RPC_H
#define SOLO_RPC_H

#include "runtime/device/module.h"

/* After an image is loaded, before its kernels run. INCOMPATIBLE: an image whose connection is not known.
 * *out_server is NULL where it has none. */
solo_status solo_rpc_loaded(solo_device *device, solo_module *module,
                            solo_rpc **out_server) SOLO_MUST_CHECK;

/* When its kernels will not run again; NULL: nothing. */
void solo_rpc_leaving(solo_rpc *server);

#endif
