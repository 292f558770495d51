/* The skeleton backend: the smallest complete port of solo, to be cloned by ports/new-backend.sh.
 * Drives an imaginary accelerator (driver/skeldrv.h). Contract: runtime/backend.h. Steps:
 * ports/PORTING.md. */
#ifndef SOLO_SKELETON_H
#define SOLO_SKELETON_H

#include "ports/skeleton/driver/skeldrv.h"
#include "runtime/backend.h"
#include "runtime/backend_operations.h"
#include "runtime/base/lock.h"

struct solo_bdevice {
  skeldrv_device *driver;
  int ordinal;
  skeldrv_properties limits;
  solo_lock lock;    /* guards idle */
  solo_bqueue *idle; /* closed queues to which events may refer */
};

struct solo_bqueue {
  skeldrv_queue *driver;
  solo_bdevice *device;
  uint64_t last; /* ticket of the newest command; only the thread that uses the queue writes it */
  solo_bqueue *next_idle;
};

struct solo_bevent {
  skeldrv_queue *queue; /* NULL: not recorded */
  uint64_t ticket;
};

/* Sets the error for a driver's result and returns its status. action: such as "alloc 64 bytes". */
SOLO_HIDDEN solo_status solo_skeleton_status(skeldrv_result result, const char *action);

extern SOLO_HIDDEN const solo_backend solo_skeleton_backend;

#define XX(operation) SOLO_BACKEND_DECLARE(skeleton, operation)
SOLO_BACKEND_OPERATIONS(XX, XX)
#undef XX

#endif
