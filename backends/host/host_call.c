/* Calls with more arguments than the switch statement spells out: by the calling convention's rules,
 * which runtime/base/arch.h has. */
#include "backends/host/host_call.h"

SOLO_ARCH_FUNCTION(solo_host_call_many, SOLO_ARCH_CALL_MANY);
