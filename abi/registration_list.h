/* Images registered through solo.h. A handle is compared with the list before it is read.
 * Ownership: a registration owns bytes. Threads: any. Errors: statuses with a record. */
#ifndef SOLO_ABI_REGISTRATION_LIST_H
#define SOLO_ABI_REGISTRATION_LIST_H

#include "abi/include/solo.h"
#include "abi/tgt_types.h"
#include "runtime/device/resolve.h"
#include "runtime/image/target_parameters.h"

struct solo_kernel_handle {
  struct solo_kernel_handle *next;
  solo_device *device;
  uint32_t opening; /* of the device; earlier openings' kernels are invalid */
  solo_kernel *kernel;
  solo_status layout; /* not SOLO_OK: no parameters */
  solo_parameters parameters;
  size_t room; /* bytes of name */
  char name[];
};

struct solo_registration {
  tgt_bin_desc descriptor; /* first, as solo.h defines */
  solo_registration *next;
  tgt_device_image image;
  void *bytes;                 /* of a file; NULL: the caller's */
  solo_kernel_handle *kernels; /* guarded by handles (kernel_handle.c) */
};

/* SOLO_INVALID with a record if r is unregistered. */
solo_status solo_registration_check(const solo_registration *r) SOLO_MUST_CHECK;
void solo_registration_insert(solo_registration *r);
/* 0: r was not registered. */
int solo_registration_remove(const solo_registration *r);

#endif
