/* Kernel arguments: literals, device addresses, private copies (abi-facts 5.7). */
#ifndef SOLO_LAUNCH_ARGS_H
#define SOLO_LAUNCH_ARGS_H

#include "runtime/device/kernel.h"
#include "runtime/map/map.h"

typedef struct solo_launch_memory {
  solo_map_slot *slots; /* one per entry */
  uint64_t *arguments;  /* [0]: launch environment; room for one per entry behind it */
  int count;            /* of arguments, without [0] */
} solo_launch_memory;

/* Fills arguments from the entries that are parameters, after solo_map_begin filled slots. Private
 * copies are packed: into the launch's inline data (record, whose dimensions are known) where that
 * is possible, else into one transfer. */
solo_status solo_launch_arguments(solo_construct *c, const solo_kernel *kernel,
                                  const solo_map_list *list, solo_launch_memory *memory,
                                  solo_launch_record *record) SOLO_MUST_CHECK;

/* The launch environment of a kernel with a teams reduction: counters and buffer from the pool. */
solo_status solo_launch_environment(solo_construct *c, const solo_kernel *kernel,
                                    const solo_launch_record *record,
                                    uint64_t *out_address) SOLO_MUST_CHECK;

#endif
