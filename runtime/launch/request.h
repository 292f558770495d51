/* What a region asks for when it is launched.
 *
 * Ownership: everything is the caller's, and is read while the launch runs.
 */
#ifndef SOLO_LAUNCH_REQUEST_H
#define SOLO_LAUNCH_REQUEST_H

#include "runtime/map/map.h"

enum solo_launch_flags {
  SOLO_LAUNCH_NOWAIT = 1,    /* inside a target task: completion may come later */
  SOLO_LAUNCH_NO_HIDDEN = 4, /* the kernel has no hidden first parameter (old compilers) */
  SOLO_LAUNCH_PRINTED = 8,   /* begun is called */
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
  /* With SOLO_LAUNCH_PRINTED: the list is mapped; called before the kernel is launched. */
  void (*begun)(const solo_construct *c, const solo_map_list *list);
} solo_launch_request;

#endif
