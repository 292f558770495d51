/* The host backend's table. */
#include "backends/host/host.h"

const solo_backend solo_host_backend = {.api_version = SOLO_BACKEND_API,
                                        .name = "host",
#define XX(operation) .operation = solo_host_##operation,
                                        SOLO_HOST_OPERATIONS(XX)
#undef XX
};
