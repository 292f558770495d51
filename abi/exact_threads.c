/* Linked by solo-cc --host-threads=exact: the default of SOLO_HOST_THREADS is "exact". */
#include "runtime/base/platform.h"

extern const char solo_exact_host_threads;
SOLO_EXPORT const char solo_exact_host_threads = 1;
