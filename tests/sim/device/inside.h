/* Between the files of this folder: regions and the modes. */
#ifndef SIM_INSIDE_H
#define SIM_INSIDE_H

#include "tests/sim/device/sim_device.h"

/* One memory file. shadow is where this process may touch it; base where devices see it (and this
 * process, if the region is the host's or the mode is inline). */
typedef struct sim_region {
  int fd;
  uint64_t base, bytes;
  char *shadow;
} sim_region;

/* Is the mode SIM_INLINE? */
int sim_inline(void);

/* Regions, made on first use; device may be SIM_ON_HOST. NULL: cannot be made. */
const sim_region *sim_region_of(int device);

/* Unmaps all regions; every block is gone. */
void sim_memory_forget(void);

#endif
