/* A library that is loaded on a device (load.h). The caller holds the device's lock. */
#ifndef SOLO_MODULE_H
#define SOLO_MODULE_H

#include "runtime/device/device.h"
#include "runtime/image/image.h"

typedef struct solo_rpc solo_rpc;

typedef struct solo_structor {
  uint64_t address, priority;
} solo_structor;

typedef struct solo_structor_list {
  solo_structor *item;
  size_t count, capacity;
} solo_structor_list;

struct solo_module {
  solo_module *next;
  solo_library *library;
  solo_bmodule *handle; /* NULL: no image fits the device, or the load failed */
  solo_image image;     /* kind UNKNOWN: the image was decompressed, and its bytes are freed */
  solo_devptr heap;     /* device memory of the kernels' malloc (rtl.c); 0: none */
  solo_rpc *rpc;        /* NULL: the module's kernels do not call the host */
  solo_fptr_list pairs; /* pairs that the module adds to the device's function-pointer table */
  solo_structor_list destructors;
  int constructed; /* 1: constructors of the device runtime have run */
  int ended;
  solo_status status;
  solo_saved_error *reason;
};

/* Runs a kernel without arguments on one thread, and waits. NOT_FOUND has no error text. */
solo_status solo_module_run(solo_device *device, solo_module *module,
                            const char *name) SOLO_MUST_CHECK;

solo_status solo_module_read(solo_device *device, void *host, solo_devptr address,
                             uint64_t bytes) SOLO_MUST_CHECK;
solo_status solo_module_write(solo_device *device, solo_devptr address, const void *host,
                              uint64_t bytes) SOLO_MUST_CHECK;

#endif
