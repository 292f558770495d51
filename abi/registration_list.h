/* Images registered through solo.h, and which of them are registered at this moment.
 *
 * Ownership: a registration has its descriptor and, when it was read from a file, the image's bytes.
 * Threads: any. Errors: statuses with a record.
 */
#ifndef SOLO_ABI_REGISTRATION_LIST_H
#define SOLO_ABI_REGISTRATION_LIST_H

#include "abi/include/solo.h"
#include "abi/tgt_types.h"
#include "runtime/device/resolve.h"
#include "runtime/image/target_parameters.h"

struct solo_kernel_handle {
  struct solo_kernel_handle *next; /* of the registration */
  solo_device *device;
  uint32_t opening; /* of the device: an earlier one's kernels are gone */
  solo_kernel *kernel;
  solo_status layout; /* NOT_FOUND or so: parameters are not known */
  solo_parameters parameters;
  size_t room; /* of name */
  char name[];
};

struct solo_registration {
  tgt_bin_desc descriptor; /* first: solo.h says so */
  solo_registration *next; /* of those that are registered */
  tgt_device_image image;
  void *bytes;                 /* the registration's own; NULL: the caller's */
  solo_kernel_handle *kernels; /* guarded by the handles' lock (kernel_handle.c) */
};

/* OK; or INVALID with a record: it is not registered, or no longer. r is compared, not read. */
solo_status solo_registration_check(const solo_registration *r) SOLO_MUST_CHECK;
/* Adds r to the registered ones. */
void solo_registration_enter(solo_registration *r);
/* Takes r out; 0: it was not registered. r is compared, not read. */
int solo_registration_leave(const solo_registration *r);

#endif
