/* OMP_DISPLAY_ENV and omp_display_env. */
#include "abi/kmpc/icv.h"

void solo_kmp_env_display(const kmpc_config *config, int verbose) {
  (void)config, (void)verbose;
}
