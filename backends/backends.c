/* The backends chosen by configure.sh, in the order in which their devices are numbered. */
#include "runtime/backend.h"

const solo_backend *const solo_backends[] = {
    NULL,
};

const int solo_backend_count = (int)(sizeof solo_backends / sizeof *solo_backends) - 1;
