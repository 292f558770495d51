/* Images registered through solo.h.
 *
 * Ownership: a registration has its descriptor and, when it was read from a file, the image's bytes.
 * Threads: any. Errors: statuses with a record.
 */
#ifndef SOLO_ABI_REGISTRATION_H
#define SOLO_ABI_REGISTRATION_H

#include "abi/include/solo.h"
#include "abi/tgt_types.h"

struct solo_registration {
  tgt_bin_desc descriptor; /* first: solo.h says so */
  tgt_device_image image;
  void *bytes; /* the registration's own; NULL: the caller's */
};

#endif
