/* Internal interface of the simulated device. */
#ifndef SIM_INTERNAL_H
#define SIM_INTERNAL_H

#include "tests/sim/device/sim_device.h"

/* One memory file. shadow: the accessible mapping; base: the address on devices. */
typedef struct sim_region {
  int fd;
  uint64_t base, bytes;
  char *shadow;
} sim_region;

int sim_inline(void);

/* Returns the region of the device, which the first call creates, or NULL on an error. */
const sim_region *sim_region_of(int device);

void sim_memory_reset(void);

#endif
