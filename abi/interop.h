/* omp_interop_t objects: a device, optionally with its own queue (OpenMP 5.2, 14.1 and 18.12;
 * abi-facts 4.2, 4.4). init and get allocate an object; destroy and release free it. One thread at
 * a time uses an object. Failures: NULL or -1, reported through abi/policy.h. */
#ifndef SOLO_ABI_INTEROP_H
#define SOLO_ABI_INTEROP_H

#include "abi/tgt_types.h"
#include "runtime/device/queue_pool.h"

typedef struct tgt_interop tgt_interop;

enum tgt_interop_type { TGT_INTEROP_TARGET = 1, TGT_INTEROP_TARGETSYNC = 2 };

typedef struct tgt_interop_preference {
  int32_t foreign_runtime;
  int32_t attributes; /* bit 0: the queue executes in order */
  int64_t implementation;
} tgt_interop_preference;
TGT_LAYOUT(tgt_interop_preference, 16);

typedef struct tgt_interop_context {
  uint32_t version;
  uint32_t bits; /* bit 0: implicit behaviour; bit 1: nowait */
  int32_t gtid;
} tgt_interop_context;
TGT_LAYOUT(tgt_interop_context, 12);

typedef struct tgt_interop_dependences {
  int32_t count;
  void *list;
  int32_t noalias_count;
  void *noalias_list;
} tgt_interop_dependences;
TGT_LAYOUT(tgt_interop_dependences, 32);

typedef void tgt_interop_callback(tgt_interop *interop, void *data);

SOLO_EXPORT void __tgt_interop_init(ident_t *loc, int32_t gtid, tgt_interop **out, int32_t type,
                                    int32_t device, int32_t count, void *depends, int32_t nowait);
SOLO_EXPORT void __tgt_interop_use(ident_t *loc, int32_t gtid, tgt_interop **interop,
                                   int32_t device, int32_t count, void *depends, int32_t nowait);
SOLO_EXPORT void __tgt_interop_destroy(ident_t *loc, int32_t gtid, tgt_interop **interop,
                                       int32_t device, int32_t count, void *depends,
                                       int32_t nowait);

SOLO_EXPORT tgt_interop *__tgt_interop_get(ident_t *loc, int32_t type, int64_t device,
                                           int32_t preference_count,
                                           tgt_interop_preference *preferences,
                                           tgt_interop_context *context,
                                           tgt_interop_dependences *dependences);
SOLO_EXPORT int __tgt_interop_use60(ident_t *loc, tgt_interop *interop,
                                    tgt_interop_context *context,
                                    tgt_interop_dependences *dependences);
SOLO_EXPORT int __tgt_interop_release(ident_t *loc, tgt_interop *interop,
                                      tgt_interop_context *context,
                                      tgt_interop_dependences *dependences);
/* Does nothing, because each use of an object has already waited. */
SOLO_EXPORT int __tgt_target_sync(ident_t *loc, int32_t gtid, void *task, void *event);
/* For abi/offload. tgt_interop_queue returns the object's device and queue (NULL: no targetsync). tgt_interop_make creates
 * an object with a queue that the caller owns. */
solo_status tgt_interop_queue(const tgt_interop *interop, solo_device **out_device,
                              solo_queue_lease **out_lease) SOLO_MUST_CHECK;
solo_status tgt_interop_make(solo_device *device, solo_queue_lease *lease,
                             tgt_interop **out_interop) SOLO_MUST_CHECK;
/* Adds a function that the next wait for the object (use, destroy, release) calls once. */
SOLO_EXPORT int ompx_interop_add_completion_callback(tgt_interop *interop,
                                                     tgt_interop_callback *function, void *data);

#endif
