#include "backends/simt/simt.h"

#define REQUIRED(operation) SOLO_BACKEND_ENTRY(simt, operation)
#define OPTIONAL(operation)
/* clang-format off */
const solo_backend solo_simt_backend = {
    .api_version = SOLO_BACKEND_API,
    .name = "simt",
    SOLO_BACKEND_OPERATIONS(REQUIRED, OPTIONAL)
    .mem_pin = solo_simt_mem_pin,
    .mem_unpin = solo_simt_mem_unpin,
    .queue_fill = solo_simt_queue_fill,
    .queue_copy_peer = solo_simt_queue_copy_peer,
};
/* clang-format on */
