/* The skeleton backend: the smallest complete port of solo, to be cloned (ports/new-backend.sh
 * NAME).
 *
 * It drives an accelerator that does not exist through driver/skeldrv.h. Each function carries the
 * one sentence that its author must know; the whole contract is runtime/backend.h, the tour is
 * ports/PORTING.md. Replace skeldrv_ calls by your driver's, file by file, in the order of the
 * tour.
 *
 * Ownership, threads, errors, units: as in runtime/backend.h.
 */
#ifndef SOLO_SKELETON_H
#define SOLO_SKELETON_H

#include "ports/skeleton/driver/skeldrv.h"
#include "runtime/backend.h"
#include "runtime/backend_operations.h"
#include "runtime/base/lock.h"

struct solo_bdevice {
  skeldrv_device *driver;
  int ordinal;
  skeldrv_properties limits; /* what launches are checked against */
  solo_lock lock;            /* guards idle */
  solo_bqueue *idle;         /* closed queues, kept: events point at them, threads cost time */
};

struct solo_bqueue {
  skeldrv_queue *driver;
  solo_bdevice *device;
  uint64_t last; /* ticket of the newest command; the queue's user writes it */
  solo_bqueue *next_idle;
};

struct solo_bevent {
  skeldrv_queue *queue; /* NULL: not recorded */
  uint64_t ticket;      /* reached when queue has reached it */
};

/* The driver's result as a status, with the driver's words recorded; action: "alloc 64 bytes". */
SOLO_HIDDEN solo_status solo_skeleton_status(skeldrv_result result, const char *action);

extern SOLO_HIDDEN const solo_backend solo_skeleton_backend;

#define XX(operation) SOLO_BACKEND_DECLARE(skeleton, operation)
SOLO_BACKEND_OPERATIONS(XX, XX)
#undef XX

#endif
