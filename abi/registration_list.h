/* Images registered through solo.h. A handle from the program is compared with this list before its members are read, so
 * that invalid handles are rejected. */
#ifndef SOLO_ABI_REGISTRATION_LIST_H
#define SOLO_ABI_REGISTRATION_LIST_H

#include "abi/include/solo.h"
#include "abi/tgt_types.h"
#include "runtime/device/resolve.h"
#include "runtime/image/target_parameters.h"

struct solo_kernel_handle {
  struct solo_kernel_handle *next;
  solo_device *device;
  /* the device's `openings` at creation; if `openings` has changed, the handle is invalid */
  uint32_t opening;
  solo_kernel *kernel;
  /* SOLO_OK: `parameters` is valid; else the reason why parameters are unknown */
  solo_status layout;
  solo_parameters parameters;
  size_t capacity;
  char name[];
};

struct solo_registration {
  tgt_bin_desc descriptor; /* first member, as solo.h documents */
  solo_registration *next;
  tgt_device_image image;
  void *bytes; /* content of a registered file, owned; NULL: the caller owns the bytes */
  solo_kernel_handle *kernels; /* guarded by `handles` of kernel_handle.c */
};

solo_status solo_registration_check(const solo_registration *r) SOLO_MUST_CHECK;
void solo_registration_insert(solo_registration *r);
/* Returns whether r was registered. */
int solo_registration_remove(const solo_registration *r);

#endif
