/* The remote backend's table. */
#include "backends/remote/remote.h"

#define REQUIRED(operation) SOLO_BACKEND_ENTRY(remote, operation)
#define OPTIONAL(operation) /* those there are stand below */
/* clang-format off */
const solo_backend solo_remote_backend = {
    .api_version = SOLO_BACKEND_API,
    .name = "remote",
    SOLO_BACKEND_OPERATIONS(REQUIRED, OPTIONAL)
    .queue_fill = solo_remote_queue_fill,
    .queue_copy_peer = solo_remote_queue_copy_peer,
};
/* clang-format on */
