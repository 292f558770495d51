/* Long blocks of CPU devices in memory that client and server map (remote_area.c). A block belongs
 * to its device until it is freed or the device is closed. Any thread may call these functions; for
 * allocation and free it holds the device's memory_lock. */
#ifndef SOLO_REMOTE_AREA_H
#define SOLO_REMOTE_AREA_H

#include "backends/remote/remote.h"

typedef struct solo_remote_block solo_remote_block;

/* Allocates a block. Returns DEVICE_NOMEM, without an error text, if the area is full or absent:
 * the caller then allocates by a message. */
solo_status solo_remote_area_allocate(solo_bdevice *device, uint64_t bytes,
                                      solo_devptr *out_address);

/* Frees the block at address; returns 0 if the address is not in the area. */
int solo_remote_area_release(solo_bdevice *device, solo_devptr address);

/* Frees all blocks of a device that is closed. */
void solo_remote_area_close_device(solo_bdevice *device);

/* Returns the client's address of a range of device memory; NULL: not in the area. */
void *solo_remote_area_find(const solo_bdevice *device, solo_devptr address, uint64_t bytes);

/* Waits for the queue's earlier work, then copies; the ranges must not overlap. Copies nothing if
 * that work failed: the next sync reports the failure. Returns DEVICE_LOST if the server is lost. */
solo_status solo_remote_area_copy(solo_bqueue *queue, void *to, const void *from, uint64_t bytes);

#endif
