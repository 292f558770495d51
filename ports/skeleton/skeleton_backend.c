/* The table of the skeleton backend. Operations that it omits have the defaults of backend.h. */
#include "ports/skeleton/skeleton.h"

#define REQUIRED(operation) SOLO_BACKEND_ENTRY(skeleton, operation)
#define OPTIONAL(operation) /* add optional operations to the table below */
/* clang-format off */
const solo_backend solo_skeleton_backend = {
    .api_version = SOLO_BACKEND_API,
    .name = "skeleton",
    SOLO_BACKEND_OPERATIONS(REQUIRED, OPTIONAL)
};
/* clang-format on */
