/* SOLO_OP(backend, operation) calls a required operation: directly in a build with one backend
 * (-DSOLO_SINGLE_BACKEND=host), else through the table. solo_backend_<operation> calls an optional
 * operation. If the backend lacks it, this function performs the default of runtime/backend.h,
 * which may block and may return an earlier error of the queue. */
#ifndef SOLO_BACKEND_CALL_H
#define SOLO_BACKEND_CALL_H

#include "runtime/backend.h"
#include "runtime/backend_operations.h"

#ifdef SOLO_SINGLE_BACKEND
#define SOLO_OP(backend, operation)                                                                \
  ((void)(backend), SOLO_BACKEND_NAME(SOLO_SINGLE_BACKEND, operation))
#define XX(operation) SOLO_BACKEND_DECLARE(SOLO_SINGLE_BACKEND, operation)
SOLO_BACKEND_OPERATIONS(XX, XX)
#undef XX
#else
#define SOLO_OP(backend, operation) ((backend)->operation)
#endif

/* Checks version and required operations. INTERNAL: the library cannot use this backend. */
solo_status solo_backend_check(const solo_backend *backend);

void solo_backend_device_missing(const solo_backend *backend, char *text, size_t size);
void solo_backend_device_describe(const solo_backend *backend, solo_bdevice *device,
                                  solo_device_info *info);
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
solo_status solo_backend_native_handle(const solo_backend *backend, solo_bdevice *device,
                                       solo_bqueue *queue, solo_native_kind kind,
                                       void **out_handle);
uint32_t solo_backend_device_work(const solo_backend *backend, solo_bdevice *device,
                                  solo_device_work *out, uint32_t most);

#endif
