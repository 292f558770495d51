/* Long blocks of CPU devices in memory that client and server map (remote_area.c). The device owns
 * a block until it is freed or the device is closed. Threads: any; allocation and free hold the
 * device's memory_lock. */
#ifndef SOLO_REMOTE_AREA_H
#define SOLO_REMOTE_AREA_H

#include "backends/remote/remote.h"

typedef struct solo_remote_block solo_remote_block;

/* Allocates a block. DEVICE_NOMEM, without text: the area is full or absent. */
solo_status solo_remote_area_allocate(solo_bdevice *device, uint64_t bytes,
                                      solo_devptr *out_address);

/* Frees the block at address; returns 0 if the address is not in the area. */
int solo_remote_area_release(solo_bdevice *device, solo_devptr address);

/* Frees all blocks of a device that is closed. */
void solo_remote_area_close_device(solo_bdevice *device);

/* Returns the client's address of a device range; NULL: not in the area. */
void *solo_remote_area_find(const solo_bdevice *device, solo_devptr address, uint64_t bytes);

/* Copies when the queue's earlier work is complete; the ranges do not overlap. Copies nothing if
 * that work failed: the next sync reports the failure. DEVICE_LOST: the server is lost. */
solo_status solo_remote_area_copy(solo_bqueue *queue, void *to, const void *from, uint64_t bytes);

#endif
