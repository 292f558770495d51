/* Device memory in reusable blocks: what mappings and private copies are made of, and what omp_target_alloc gives
 * (target_alloc.c).
 *
 * Drivers are slow at allocating and freeing (and freeing may synchronise the whole device), so
 * blocks up to solo_settings()->pool_threshold are kept for reuse, in size classes (four per power
 * of two, so at most a quarter is wasted); larger ones go back to the driver. On CPU devices blocks up to
 * SOLO_POOL_LARGE are kept too, while those kept are no more than SOLO_POOL_KEPT together: the C library of a static
 * program (musl) gives each to the system and gets it back page by page, at the cost of copying it. Memory that is the
 * host's, too, counts there whatever its size. Blocks of 64 KiB and more of CPU devices take a page more, in which they
 * lie at different places.
 *
 * Ownership: a block belongs to its taker until solo_pool_give. Nodes are recycled, never freed,
 * before solo_pool_drain. Threads: any. Errors: SOLO_DEVICE_NOMEM after everything cached was given
 * back to the driver and the driver still had nothing. Units: bytes.
 */
#ifndef SOLO_POOL_H
#define SOLO_POOL_H

#include "runtime/device/device.h"
#include "runtime/trace/observer.h"

solo_status solo_pool_take(solo_device *device, uint64_t bytes,
                           solo_block **out_block) SOLO_MUST_CHECK;
/* The same of any kind of memory: other kinds than SOLO_MEMORY_DEVICE once the pool has its solo_lent (target_alloc.c). */
solo_status solo_pool_take_kind(solo_device *device, uint64_t bytes, solo_memory_kind kind,
                                solo_block **out_block) SOLO_MUST_CHECK;
void solo_pool_give(solo_device *device, solo_block *block);

/* The same by a thread with a magazine of its own. That is the pool's from the first call on, until it is drained. */
void solo_magazine_join(solo_device *device, solo_magazine *magazine);
solo_status solo_magazine_take(solo_device *device, solo_magazine *magazine, uint64_t bytes,
                               solo_block **out_block) SOLO_MUST_CHECK;
void solo_magazine_give(solo_device *device, solo_magazine *magazine, solo_block *block);

/* Returns everything cached to the driver (trim), also what magazines hold, and all nodes too (drain: no block is
 * out but what the program has by omp_target_alloc and keeps, no magazine stays). */
void solo_pool_trim(solo_device *device);
void solo_pool_drain(solo_device *device);

/* The driver's memory calls, for the pool and for callers that bypass it (target_alloc.c): reported to
 * observers as what. Out of device memory is tried again after the pool gave back what it keeps. */
solo_status solo_driver_alloc(solo_device *device, uint64_t bytes, solo_memory_kind kind,
                              solo_trace_kind what, solo_devptr *out_address) SOLO_MUST_CHECK;
/* bytes: reported to observers; 0: not known. */
solo_status solo_driver_free(const solo_device *device, solo_devptr address, uint64_t bytes,
                             solo_memory_kind kind, solo_trace_kind what);

#endif
