/* OMP_DISPLAY_ENV and omp_display_env(3): the settings in force, on standard error. */
#ifndef SOLO_KMPC_DISPLAY_H
#define SOLO_KMPC_DISPLAY_H

#include "abi/kmpc/env/icv.h"

/* verbose: 0 or 1. */
void solo_kmp_display(const kmpc_config *config, int verbose) SOLO_COLD;

#endif
