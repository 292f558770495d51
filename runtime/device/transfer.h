/* Device memory, and copies between devices and host (omp_target_*). All operations are complete on
 * return. The caller owns memory until solo_memory_free. Threads: any. Units: bytes. */
#ifndef SOLO_TRANSFER_H
#define SOLO_TRANSFER_H

#include "runtime/device/device.h"

typedef struct solo_location {
  solo_device *device;
  uint64_t address;
} solo_location;

solo_status solo_memory_alloc(solo_device *device, uint64_t bytes, solo_memory_kind kind,
                              void **out_address) SOLO_MUST_CHECK;
solo_status solo_memory_free(solo_device *device, void *address,
                             solo_memory_kind kind) SOLO_MUST_CHECK;

solo_status solo_transfer_copy(solo_location to, solo_location from,
                               uint64_t bytes) SOLO_MUST_CHECK;
solo_status solo_transfer_fill(solo_location to, int value, uint64_t bytes) SOLO_MUST_CHECK;

enum { SOLO_MAX_RECT_DIMENSIONS = 16 };

/* An n-dimensional box, in elements (OpenMP 5.2, 18.8.6). */
typedef struct solo_rect {
  uint64_t element_bytes;
  int dimensions;
  const size_t *volume;
  const size_t *to_offsets, *from_offsets;
  const size_t *to_dimensions, *from_dimensions;
} solo_rect;

solo_status solo_transfer_rect(solo_location to, solo_location from,
                               const solo_rect *rect) SOLO_MUST_CHECK;

#endif
