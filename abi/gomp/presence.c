/* Marks a program of which GCC compiled a part, for omp_get_num_devices(). */
#include "abi/gomp/presence.h"

const char solo_gomp_is_linked = 1;
