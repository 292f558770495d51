/* Long blocks of devices whose memory is the server's own, in memory that the program has, too (remote_area.c).
 *
 * Ownership: a block is the device's until it is given back, or the device is closed.
 * Threads: any; taken and given back under the device's memory_lock. Errors: as said at each. */
#ifndef SOLO_REMOTE_AREA_H
#define SOLO_REMOTE_AREA_H

#include "backends/remote/remote.h"

typedef struct solo_remote_block solo_remote_block;

/* A block of so many bytes. DEVICE_NOMEM, without a text: the area has none, or the device no area. */
solo_status solo_remote_area_take(solo_bdevice *device, uint64_t bytes, solo_devptr *out_address);

/* Nonzero: it was one of the area's, which nothing uses any more. */
int solo_remote_area_give_back(solo_bdevice *device, solo_devptr address);

/* The device is closed, and so are its blocks. */
void solo_remote_area_forget(solo_bdevice *device);

/* Where the program has these bytes of the device; NULL: it has not. */
void *solo_remote_area_find(const solo_bdevice *device, solo_devptr address, uint64_t bytes);

/* Copies by the program itself, when what was enqueued before is done; memory that does not overlap. After a failure
 * nothing is copied, as by the server: the next sync tells. DEVICE_LOST: the queue's server is gone. */
solo_status solo_remote_area_copy(solo_bqueue *queue, void *to, const void *from, uint64_t bytes);

#endif
