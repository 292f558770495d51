/* Kernel arguments: literals, device addresses, private copies (abi-facts 5.7). */
#ifndef SOLO_LAUNCH_ARGS_H
#define SOLO_LAUNCH_ARGS_H

#include "runtime/device/kernel.h"
#include "runtime/map/map.h"

typedef struct solo_launch_memory {
  solo_map_slot *slots;
  uint64_t *arguments; /* [0]: launch environment */
  int count;           /* without [0] */
} solo_launch_memory;

/* After solo_map_begin. Private copies go into the inline data of `record`, with dimensions set, or
 * into one transfer. */
solo_status solo_launch_arguments(solo_construct *c, const solo_kernel *kernel,
                                  const solo_map_list *list, solo_launch_memory *memory,
                                  solo_launch_record *record) SOLO_MUST_CHECK;

/* For teams reductions. */
solo_status solo_launch_environment(solo_construct *c, const solo_kernel *kernel,
                                    const solo_launch_record *record,
                                    uint64_t *out_address) SOLO_MUST_CHECK;

#endif
