/* Kernel arguments: literals, device addresses, private copies (abi-facts 5.7). */
#ifndef SOLO_LAUNCH_ARGS_H
#define SOLO_LAUNCH_ARGS_H

#include "runtime/kernel.h"
#include "runtime/map_args.h"

/* Fills out_arguments (room for list->count) from the entries that are parameters, after
 * solo_map_begin filled slots. Private copies are packed into one transfer. */
solo_status solo_launch_arguments(solo_construct *c, const solo_map_list *list,
                                  const solo_map_slot *slots, uint64_t *out_arguments,
                                  int *out_count) SOLO_MUST_CHECK;

/* The launch environment of a kernel with a teams reduction: counters and buffer from the pool. */
solo_status solo_launch_environment(solo_construct *c, const solo_kernel *kernel,
                                    const solo_launch_record *record,
                                    uint64_t *out_address) SOLO_MUST_CHECK;

#endif
