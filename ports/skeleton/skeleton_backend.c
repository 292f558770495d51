/* The skeleton backend's table. */
#include "ports/skeleton/skeleton.h"

const solo_backend solo_skeleton_backend = {.api_version = SOLO_BACKEND_API,
                                            .name = "skeleton",
#define XX(operation) .operation = solo_skeleton_##operation,
                                            SOLO_SKELETON_OPERATIONS(XX)
#undef XX
};
