/* Kernel arguments: literals, device addresses, private copies (abi-facts 5.7). */
#ifndef SOLO_LAUNCH_ARGS_H
#define SOLO_LAUNCH_ARGS_H

#include "runtime/device/kernel.h"
#include "runtime/map/map.h"

typedef struct solo_launch_memory {
  solo_map_slot *slots;
  uint64_t *arguments; /* [0]: address of the launch environment */
  int count;
} solo_launch_memory;

/* Computes the arguments after solo_map_begin. Private copies become inline data of `record`, or
 * one transfer sends them. Teams and threads of `record` must be set. */
solo_status solo_launch_arguments(solo_construct *c, const solo_kernel *kernel,
                                  const solo_map_list *list, solo_launch_memory *memory,
                                  solo_launch_record *record) SOLO_MUST_CHECK;

/* Kernels with teams reductions need a launch environment. */
solo_status solo_launch_environment(solo_construct *c, const solo_kernel *kernel,
                                    const solo_launch_record *record,
                                    uint64_t *out_address) SOLO_MUST_CHECK;

#endif
