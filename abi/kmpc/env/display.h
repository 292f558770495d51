/* OMP_DISPLAY_ENV and omp_display_env(3): prints the settings to standard error. */
#ifndef SOLO_KMPC_DISPLAY_H
#define SOLO_KMPC_DISPLAY_H

#include "abi/kmpc/env/icv.h"

void solo_kmp_display(const kmpc_config *config, int verbose) SOLO_COLD;

#endif
