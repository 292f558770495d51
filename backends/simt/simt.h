/* The virtual GPU as a device. A launch runs the whole grid before it returns
 * (SOLO_DEVICE_SYNCHRONOUS), so queues and events have no state. Device memory is host memory. Code
 * of backends/host loads images and calls kernels. */
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
  _Atomic int lost; /* nonzero after a kernel failed */
  uint32_t target;  /* target of the image: bits of SOLO_SIMT_TARGET */
  uint32_t warp_size;
  uint32_t shared_bytes;
  uint32_t workers; /* maximum number of host threads that run a grid */
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
  /* at: load address; low: address of the first segment; bytes: end of the last segment minus at */
  uint64_t at, low, bytes;
  uint32_t flags;
  int is_exact;   /* each GPU thread is a fiber (translate.sh -O 0) */
  int file;       /* descriptor of a file with the image, for addr2line; or -1 */
  solo_lock lock; /* guards kernels */
  solo_simt_kernel *kernels;
};

SOLO_HIDDEN solo_status solo_simt_check_lost(const solo_bdevice *device);

SOLO_HIDDEN uint32_t solo_simt_image_flags(void);

extern SOLO_HIDDEN const solo_backend solo_simt_backend;

#define XX(operation) SOLO_BACKEND_DECLARE(simt, operation)
SOLO_BACKEND_OPERATIONS(XX, XX)
#undef XX

#endif
