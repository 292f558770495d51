#include "backends/hsa/hsa.h"

#define REQUIRED(operation) SOLO_BACKEND_ENTRY(hsa, operation)
#define OPTIONAL(operation)
/* clang-format off */
const solo_backend solo_hsa_backend = {
    .api_version = SOLO_BACKEND_API,
    .name = "hsa",
    SOLO_BACKEND_OPERATIONS(REQUIRED, OPTIONAL)
    .mem_pin = solo_hsa_mem_pin,
    .mem_unpin = solo_hsa_mem_unpin,
    .queue_copy_box = solo_hsa_queue_copy_box,
    .queue_fill = solo_hsa_queue_fill,
    .queue_copy_peer = solo_hsa_queue_copy_peer,
    .native_handle = solo_hsa_native_handle,
};
/* clang-format on */
