/* A registered library loaded on one device: its chosen image, and its data in the mapping table.
 * load.h loads and unloads it.
 *
 * Threads: all of it is guarded by the device's lock.
 */
#ifndef SOLO_MODULE_H
#define SOLO_MODULE_H

#include "runtime/device/device.h"
#include "runtime/image/image.h"

typedef struct solo_rpc solo_rpc; /* rpc.h */

struct solo_module {
  solo_module *next; /* of the device */
  solo_library *library;
  solo_bmodule *handle; /* NULL: no image fits, or loading failed */
  solo_image image;     /* the chosen one; kind UNKNOWN when it was decompressed and is gone */
  solo_devptr heap;     /* device heap given to it; 0: none */
  solo_rpc *rpc; /* answers its kernels' calls to the host (rpc.h); NULL: it has no such calls */
  solo_fptr_list pairs; /* what it adds to the device's function-pointer table */
  int constructed;      /* with a device runtime: its constructors ran */
  int ended;            /* its destructors ran (solo_module_end) */
  solo_status status;
  solo_kept_error *reason; /* solo_error_kept, when status says so */
};

/* Runs a kernel of the module that takes nothing, with one thread; NOT_FOUND without text when the
 * module has none of this name. */
solo_status solo_module_run(solo_device *device, solo_module *module,
                            const char *name) SOLO_MUST_CHECK;

/* Copies between the host and a module's global and waits. */
solo_status solo_module_read(solo_device *device, void *host, solo_devptr address,
                             uint64_t bytes) SOLO_MUST_CHECK;
solo_status solo_module_write(solo_device *device, solo_devptr address, const void *host,
                              uint64_t bytes) SOLO_MUST_CHECK;

#endif
