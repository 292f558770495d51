/* solo-cc --host-threads=exact links this file, which sets the default of SOLO_HOST_THREADS to "exact". */
#include "runtime/base/platform.h"

extern const char solo_exact_host_threads;
SOLO_EXPORT const char solo_exact_host_threads = 1;
