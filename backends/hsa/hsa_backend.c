/* The HSA backend's table. */
#include "backends/hsa/hsa_private.h"

#define XX(operation) SOLO_BACKEND_ENTRY(hsa, operation)
/* clang-format off */
const solo_backend solo_hsa_backend = {
    .api_version = SOLO_BACKEND_API,
    .name = "hsa",
    SOLO_BACKEND_OPERATIONS(XX, XX)
};
/* clang-format on */
