#include "backends/host/host_call.h"

SOLO_ARCH_FUNCTION(solo_host_call_many, SOLO_ARCH_CALL_MANY);
