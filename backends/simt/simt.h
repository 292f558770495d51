/* The virtual GPU as a device. An image is a shared object for the host CPU that translate.sh made
 * from GPU code. A launch runs the whole grid in the calling process before it returns
 * (SOLO_DEVICE_SYNCHRONOUS). Therefore queues and events have no state, and device memory is host
 * memory. The image loader and the kernel call are those of backends/host.
 *
 * Ownership, threads, errors, units: runtime/backend.h. */
#ifndef SOLO_SIMT_H
#define SOLO_SIMT_H

#include "runtime/backend.h"
#include "runtime/backend_operations.h"
#include "runtime/base/lock.h"
#include "runtime/image/simt.h"

struct solo_bqueue {
  solo_bdevice *device;
};

struct solo_bevent {
  solo_bdevice *device;
};

struct solo_bdevice {
  solo_bqueue queue;
  solo_bevent event;
  int number;
  _Atomic int lost; /* a kernel failed; all later operations fail */
  uint32_t target;  /* SOLO_SIMT_TARGET of the simulated GPU */
  uint32_t warp_size;
  uint32_t shared_bytes; /* per block */
  uint32_t workers;      /* maximum number of host threads per grid */
  uint64_t seed;
  int race_status;
};

typedef struct solo_simt_kernel {
  struct solo_simt_kernel *next;
  const solo_bmodule *module;
  const void *code;
  char name[];
} solo_simt_kernel;

struct solo_bmodule {
  solo_bdevice *device;
  struct solo_host_elf *elf;
  uint64_t at, low,
      bytes; /* load address of file address 0; address of the first segment; end, relative to at */
  uint32_t flags; /* e_flags */
  int file;       /* the image for addr2line, or -1 */
  solo_lock lock; /* guards kernels */
  solo_simt_kernel *kernels;
};

/* Returns SOLO_DEVICE_LOST after a kernel has failed. */
SOLO_HIDDEN solo_status solo_simt_alive(const solo_bdevice *device);

/* The flags of the first image that was recognised; 0 if there is none. */
SOLO_HIDDEN uint32_t solo_simt_wanted(void);

extern SOLO_HIDDEN const solo_backend solo_simt_backend;

#define XX(operation) SOLO_BACKEND_DECLARE(simt, operation)
SOLO_BACKEND_OPERATIONS(XX, XX)
#undef XX

#endif
