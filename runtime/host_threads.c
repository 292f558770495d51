/* What runtime/host_threads.h keeps without a host thread runtime. */
#include "runtime/host_threads.h"

_Thread_local solo_target_place solo_target_here = {.device = -1};
