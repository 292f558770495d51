#include "runtime/host_threads.h"

_Thread_local solo_target_context solo_target_current = {.device = -1};
