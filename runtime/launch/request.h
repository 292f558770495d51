/* A target region to launch. The caller owns it until the launch returns. */
#ifndef SOLO_LAUNCH_REQUEST_H
#define SOLO_LAUNCH_REQUEST_H

#include "runtime/map/map.h"

enum solo_launch_flags {
  SOLO_LAUNCH_NOWAIT = 1,    /* the launch is in a target task */
  SOLO_LAUNCH_NO_HIDDEN = 4, /* no hidden first parameter (old compilers) */
  SOLO_LAUNCH_PRINTED = 8,
  SOLO_LAUNCH_EXACT = 2, /* exact teams and threads (kernel languages) */
};

typedef struct solo_launch_request {
  const void *key;
  const char *where;
  solo_map_list list;
  uint32_t teams[3];
  uint32_t threads[3];
  uint64_t trip_count;
  uint32_t shared_bytes;
  uint32_t flags;
  /* called after the list is mapped, if flags has SOLO_LAUNCH_PRINTED */
  void (*begun)(const solo_construct *c, const solo_map_list *list);
} solo_launch_request;

#endif
