/* The backends of this build, in the order of their device numbers. configure.sh defines
 * SOLO_BACKEND_LIST(XX) as XX(host) XX(cuda) ... */
#include "runtime/backend.h"

#define XX(name) extern SOLO_HIDDEN const solo_backend solo_##name##_backend;
SOLO_BACKEND_LIST(XX)
#undef XX

const solo_backend *const solo_backends[] = {
#define XX(name) &solo_##name##_backend,
    SOLO_BACKEND_LIST(XX)
#undef XX
};

const int solo_backend_count = (int)(sizeof solo_backends / sizeof *solo_backends);
