/* The HSA backend's table. */
#include "backends/hsa/hsa_private.h"

const solo_backend solo_hsa_backend = {.api_version = SOLO_BACKEND_API,
                                       .name = "hsa",
#define XX(operation) .operation = solo_hsa_##operation,
                                       SOLO_HSA_OPERATIONS_OF_CONTRACT(XX)
#undef XX
};
