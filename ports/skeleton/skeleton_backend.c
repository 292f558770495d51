/* The skeleton backend's table. Other operations have the defaults of backend.h. */
#include "ports/skeleton/skeleton.h"

#define REQUIRED(operation) SOLO_BACKEND_ENTRY(skeleton, operation)
#define OPTIONAL(operation) /* list implemented ones below */
/* clang-format off */
const solo_backend solo_skeleton_backend = {
    .api_version = SOLO_BACKEND_API,
    .name = "skeleton",
    SOLO_BACKEND_OPERATIONS(REQUIRED, OPTIONAL)
};
/* clang-format on */
