/* The virtual GPU as a device: what the backend's files share.
 *
 * Images are shared objects for this CPU that translate.sh made of device code for a GPU (README.md);
 * exec/ runs them. Everything happens in the calling process: a launch runs its grid and returns
 * (SOLO_DEVICE_SYNCHRONOUS), so that queues and events have no state; memory is this process's own.
 * Some things the CPU's backend has for code of this CPU, and this one uses: the loader of images
 * (elf/load.h), which shows them to gdb, and the call with any number of arguments (host_call.h).
 *
 * Ownership, threads, errors, units: as in runtime/backend.h.
 */
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
  solo_bqueue queue; /* every queue of the device */
  solo_bevent event; /* every event of the device */
  int number;
  _Atomic int lost;      /* a kernel failed: as on a GPU, nothing goes on */
  uint32_t target;       /* of what it stands for (SOLO_SIMT_TARGET) */
  uint32_t warp_size;    /* 32 or 64 */
  uint32_t shared_bytes; /* of a block */
  uint32_t workers;      /* most host threads that run blocks at a time */
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
      bytes;      /* where the file's address 0 is, its first segment, and how far it goes */
  uint32_t flags; /* of its header */
  int file;       /* a copy for who looks for source lines; -1: none */
  solo_lock lock; /* guards kernels */
  solo_simt_kernel *kernels;
};

/* DEVICE_LOST, if a kernel failed. */
SOLO_HIDDEN solo_status solo_simt_alive(const solo_bdevice *device);

/* What the images that this process has shown to the backend are for; 0: it has shown none. */
SOLO_HIDDEN uint32_t solo_simt_wanted(void);

extern SOLO_HIDDEN const solo_backend solo_simt_backend;

#define XX(operation) SOLO_BACKEND_DECLARE(simt, operation)
SOLO_BACKEND_OPERATIONS(XX, XX)
#undef XX

#endif
