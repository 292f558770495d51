/* Running a target region on a device: map, launch, unmap, wait; and nothing else on the way.
 *
 * Threads: any. Errors: whatever failed first, with variable, kernel and source line in the record;
 * the table is as it was before. After the first launch of a kernel with present mappings: no lock,
 * no heap, no system call but the driver's (tests/unit/test_hot_path).
 */
#ifndef SOLO_LAUNCH_H
#define SOLO_LAUNCH_H

#include "runtime/construct/nowait.h"
#include "runtime/map/map.h"

enum solo_launch_flags {
  SOLO_LAUNCH_NOWAIT = 1,    /* inside a target task: completion may come later */
  SOLO_LAUNCH_NO_HIDDEN = 4, /* the kernel has no hidden first parameter (old compilers) */
  SOLO_LAUNCH_EXACT = 2,     /* teams and threads are to be taken as they are (kernel languages) */
};

typedef struct solo_launch_request {
  const void *key;   /* the region's host key */
  const char *where; /* source location, may be NULL */
  solo_map_list list;
  uint32_t teams[3];   /* 0 in [0]: not said */
  uint32_t threads[3]; /* likewise */
  uint64_t trip_count; /* 0: not known */
  uint32_t shared_bytes;
  uint32_t flags;
} solo_launch_request;

solo_status solo_launch(solo_device *device, const solo_launch_request *request) SOLO_MUST_CHECK;

/* The same on an asynchronous device, ended later (construct/nowait.h). */
solo_status solo_launch_nowait(solo_device *device, const solo_launch_request *request,
                               solo_nowait_op **out_op) SOLO_MUST_CHECK;

/* The launch dimensions for a kernel (abi-facts 7.4); pure, for tests. */
void solo_launch_dimensions(const solo_device *device, const struct solo_kernel *kernel,
                            const solo_launch_request *request, solo_launch_record *out_record);

#endif
