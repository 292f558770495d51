/* The cache of device memory blocks (docs/design/devices.md). Freed blocks of at most
 * solo_settings()->pool_threshold bytes are kept in size classes, four per power of two. CPU
 * devices also keep larger blocks: up to SOLO_POOL_LARGE each and SOLO_POOL_KEPT in total.
 * Ownership: the caller owns a block until solo_pool_free. An allocation trims the pool before it
 * fails with SOLO_DEVICE_NOMEM. Threads: any. Units: bytes. */
#ifndef SOLO_POOL_H
#define SOLO_POOL_H

#include "runtime/device/device.h"
#include "runtime/trace/observer.h"

solo_status solo_pool_allocate(solo_device *device, uint64_t bytes,
                               solo_block **out_block) SOLO_MUST_CHECK;
/* A kind other than SOLO_MEMORY_DEVICE requires that solo_user_blocks exists (target_alloc.c). */
solo_status solo_pool_allocate_kind(solo_device *device, uint64_t bytes, solo_memory_kind kind,
                                    solo_block **out_block) SOLO_MUST_CHECK;
void solo_pool_free(solo_device *device, solo_block *block);

/* As solo_pool_allocate and solo_pool_free, with the calling thread's magazine. solo_pool_trim
 * empties the magazines registered since the last solo_pool_drain. */
void solo_magazine_register(solo_device *device, solo_magazine *magazine);
solo_status solo_magazine_allocate(solo_device *device, solo_magazine *magazine, uint64_t bytes,
                                   solo_block **out_block) SOLO_MUST_CHECK;
void solo_magazine_free(solo_device *device, solo_magazine *magazine, solo_block *block);

/* trim frees all cached blocks, also those of cached mappings and magazines. drain also frees the
 * solo_block records; then only the memory of omp_target_alloc remains. */
void solo_pool_trim(solo_device *device);
void solo_pool_drain(solo_device *device);

/* Calls the driver and reports an event of kind `what`. If no memory is left, trims the pool and
 * retries. */
solo_status solo_driver_alloc(solo_device *device, uint64_t bytes, solo_memory_kind kind,
                              solo_trace_kind what, solo_devptr *out_address) SOLO_MUST_CHECK;
/* bytes: only for observers; 0: unknown. */
solo_status solo_driver_free(const solo_device *device, solo_devptr address, uint64_t bytes,
                             solo_memory_kind kind, solo_trace_kind what);

#endif
