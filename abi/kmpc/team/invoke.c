#include "abi/kmpc/kmpc.h"

SOLO_ARCH_FUNCTION(solo_kmp_invoke, SOLO_ARCH_CALL_REGION);
