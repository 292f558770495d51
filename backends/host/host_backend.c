#include "backends/host/host.h"

#define REQUIRED(operation) SOLO_BACKEND_ENTRY(host, operation)
#define OPTIONAL(operation)
/* clang-format off */
const solo_backend solo_host_backend = {
    .api_version = SOLO_BACKEND_API,
    .name = "host",
    SOLO_BACKEND_OPERATIONS(REQUIRED, OPTIONAL)
    .device_describe = solo_host_device_describe,
    .mem_pin = solo_host_mem_pin,
    .mem_unpin = solo_host_mem_unpin,
    .queue_fill = solo_host_queue_fill,
    .queue_copy_peer = solo_host_queue_copy_peer,
};
/* clang-format on */
