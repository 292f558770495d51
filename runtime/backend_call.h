/* How the runtime calls a backend: direct names with one backend, the table with several, and the
 * defaults of optional operations.
 *
 * SOLO_OP(backend, queue_sync)(queue): a required operation. With -DSOLO_SINGLE_BACKEND=host this
 * is solo_host_queue_sync(queue), a direct call that the compiler can see through. Optional
 * operations are called through solo_backend_<operation>, which fills in the default that
 * runtime/backend.h states.
 *
 * Ownership, threads, errors: as the operation in runtime/backend.h. A default may block where the
 * operation itself would not, and then returns the queue's pending error, as a sync does.
 */
#ifndef SOLO_BACKEND_CALL_H
#define SOLO_BACKEND_CALL_H

#include "runtime/backend.h"

/* Every entry of the table, in its order. tests: ports/conformance/lint_contract.sh compares this
 * with the R and o of runtime/backend.h. */
#define SOLO_BACKEND_OPERATIONS(REQUIRED, OPTIONAL)                                                \
  REQUIRED(device_count)                                                                           \
  REQUIRED(device_open)                                                                            \
  REQUIRED(device_close)                                                                           \
  REQUIRED(image_recognise)                                                                        \
  REQUIRED(image_score)                                                                            \
  REQUIRED(module_load)                                                                            \
  REQUIRED(module_unload)                                                                          \
  REQUIRED(module_kernel)                                                                          \
  REQUIRED(module_global)                                                                          \
  REQUIRED(mem_alloc)                                                                              \
  REQUIRED(mem_free)                                                                               \
  OPTIONAL(mem_pin)                                                                                \
  OPTIONAL(mem_unpin)                                                                              \
  REQUIRED(queue_open)                                                                             \
  REQUIRED(queue_close)                                                                            \
  REQUIRED(queue_copy)                                                                             \
  OPTIONAL(queue_copy_box)                                                                         \
  OPTIONAL(queue_fill)                                                                             \
  OPTIONAL(queue_copy_peer)                                                                        \
  REQUIRED(queue_launch)                                                                           \
  REQUIRED(queue_sync)                                                                             \
  OPTIONAL(queue_host_call)                                                                        \
  REQUIRED(event_open)                                                                             \
  REQUIRED(event_close)                                                                            \
  REQUIRED(event_record)                                                                           \
  REQUIRED(queue_wait_event)                                                                       \
  REQUIRED(event_query)                                                                            \
  REQUIRED(event_wait)                                                                             \
  OPTIONAL(native_handle)                                                                          \
  OPTIONAL(can_access_peer)

#ifdef SOLO_SINGLE_BACKEND
#define SOLO_OP_NAME_(backend, operation) solo_##backend##_##operation
#define SOLO_OP_NAME(backend, operation)  SOLO_OP_NAME_(backend, operation)
#define SOLO_OP(backend, operation)       ((void)(backend), SOLO_OP_NAME(SOLO_SINGLE_BACKEND, operation))
#define SOLO_DECLARE_REQUIRED(operation)                                                           \
  SOLO_HIDDEN extern __typeof__(*((const solo_backend *)0)->operation) SOLO_OP_NAME(               \
      SOLO_SINGLE_BACKEND, operation);
#define SOLO_DECLARE_OPTIONAL(operation)
SOLO_BACKEND_OPERATIONS(SOLO_DECLARE_REQUIRED, SOLO_DECLARE_OPTIONAL)
#undef SOLO_DECLARE_REQUIRED
#undef SOLO_DECLARE_OPTIONAL
#else
#define SOLO_OP(backend, operation) ((backend)->operation)
#endif

/* Is this table one that the library can call? INTERNAL with the name of what is wrong. Once,
 * before the backend's first use. */
solo_status solo_backend_check(const solo_backend *backend);

/* Optional operations: the backend's own, else the default. */
solo_status solo_backend_mem_pin(const solo_backend *backend, solo_bdevice *device, void *host,
                                 uint64_t bytes, solo_devptr *out_address);
solo_status solo_backend_mem_unpin(const solo_backend *backend, solo_bdevice *device, void *host);
solo_status solo_backend_queue_copy_box(const solo_backend *backend, solo_bqueue *queue,
                                        uint64_t dst, uint64_t src, const solo_copy_box *box,
                                        solo_copy_direction direction);
solo_status solo_backend_queue_fill(const solo_backend *backend, solo_bqueue *queue,
                                    solo_devptr dst, int value, uint64_t bytes);
solo_status solo_backend_queue_copy_peer(const solo_backend *backend, solo_bqueue *queue,
                                         solo_bdevice *dst_device, solo_devptr dst, solo_devptr src,
                                         uint64_t bytes);
solo_status solo_backend_queue_host_call(const solo_backend *backend, solo_bqueue *queue,
                                         void (*fn)(void *), void *context);
solo_status solo_backend_native_handle(const solo_backend *backend, solo_bdevice *device,
                                       solo_bqueue *queue, solo_native_kind kind,
                                       void **out_handle);
int solo_backend_can_access_peer(const solo_backend *backend, solo_bdevice *device,
                                 solo_bdevice *peer);

#endif
