/* The list of all operations of runtime/backend.h. Backends declare their functions with
 *   #define XX(operation) SOLO_BACKEND_DECLARE(hsa, operation)
 *   SOLO_BACKEND_OPERATIONS(XX, XX)
 * and define their table with SOLO_BACKEND_ENTRY.
 */
#ifndef SOLO_BACKEND_OPERATIONS_H
#define SOLO_BACKEND_OPERATIONS_H

#include "runtime/base/platform.h"

#define SOLO_BACKEND_NAME_(backend, operation) solo_##backend##_##operation
#define SOLO_BACKEND_NAME(backend, operation)  SOLO_BACKEND_NAME_(backend, operation)
#define SOLO_BACKEND_DECLARE(backend, operation)                                                   \
  SOLO_HIDDEN extern __typeof__(*((const solo_backend *)0)->operation) SOLO_BACKEND_NAME(          \
      backend, operation);
#define SOLO_BACKEND_ENTRY(backend, operation) .operation = SOLO_BACKEND_NAME(backend, operation),

/* The order is that of struct solo_backend (checked by ports/conformance/lint_contract.sh). */
#define SOLO_BACKEND_OPERATIONS(REQUIRED, OPTIONAL)                                                \
  REQUIRED(device_count)                                                                           \
  OPTIONAL(device_missing)                                                                         \
  REQUIRED(device_open)                                                                            \
  OPTIONAL(device_describe)                                                                        \
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
  REQUIRED(event_open)                                                                             \
  REQUIRED(event_close)                                                                            \
  REQUIRED(event_record)                                                                           \
  REQUIRED(queue_wait_event)                                                                       \
  REQUIRED(event_query)                                                                            \
  REQUIRED(event_wait)                                                                             \
  OPTIONAL(native_handle)                                                                          \
  OPTIONAL(device_work)

#endif
