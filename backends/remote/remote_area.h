/* Blocks in the area (remote_area.c). A block belongs to its device until it is freed or the device
 * closes. For allocation and free, the caller holds the device's memory_lock. */
#ifndef SOLO_REMOTE_AREA_H
#define SOLO_REMOTE_AREA_H

#include "backends/remote/remote.h"

typedef struct solo_remote_block solo_remote_block;

/* Allocates a block. DEVICE_NOMEM without an error text: the area is full or absent, and the caller
 * allocates by a message. */
solo_status solo_remote_area_allocate(solo_bdevice *device, uint64_t bytes,
                                      solo_devptr *out_address);

/* Frees the block at address. Returns 0 if the area does not contain it. */
int solo_remote_area_release(solo_bdevice *device, solo_devptr address);

void solo_remote_area_close_device(solo_bdevice *device);

/* Returns the client's address of a range of device memory; NULL: the range is not in the area. */
void *solo_remote_area_find(const solo_bdevice *device, solo_devptr address, uint64_t bytes);

/* Waits for the queue's earlier work, then copies between ranges without overlap. If that work
 * failed, copies nothing; the next sync reports the failure. DEVICE_LOST: the server is lost. */
solo_status solo_remote_area_copy(solo_bqueue *queue, void *to, const void *from, uint64_t bytes);

#endif
