/* The skeleton backend: the smallest complete port of solo, to be cloned (ports/new-backend.sh).
 *
 * It drives an imaginary accelerator, driver/skeldrv.h. Contract: runtime/backend.h. Steps:
 * ports/PORTING.md. Ownership, threads, errors, units: as in runtime/backend.h. */
#ifndef SOLO_SKELETON_H
#define SOLO_SKELETON_H

#include "ports/skeleton/driver/skeldrv.h"
#include "runtime/backend.h"
#include "runtime/backend_operations.h"
#include "runtime/base/lock.h"

struct solo_bdevice {
  skeldrv_device *driver;
  int ordinal;
  skeldrv_properties limits; /* of launches */
  solo_lock lock;            /* guards idle */
  solo_bqueue *idle;         /* closed, but used by events */
};

struct solo_bqueue {
  skeldrv_queue *driver;
  solo_bdevice *device;
  uint64_t last; /* newest ticket; written by the queue's user */
  solo_bqueue *next_idle;
};

struct solo_bevent {
  skeldrv_queue *queue; /* NULL: not recorded */
  uint64_t ticket;
};

/* Records the result as a status; action: "alloc 64 bytes". */
SOLO_HIDDEN solo_status solo_skeleton_status(skeldrv_result result, const char *action);

extern SOLO_HIDDEN const solo_backend solo_skeleton_backend;

#define XX(operation) SOLO_BACKEND_DECLARE(skeleton, operation)
SOLO_BACKEND_OPERATIONS(XX, XX)
#undef XX

#endif
