/* What threads.h keeps without a host thread runtime. */
#include "runtime/threads.h"

_Thread_local int solo_current_device = -1;
