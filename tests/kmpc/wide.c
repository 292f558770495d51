/* Replaces affinity/procs.c by a machine of 64 processors, for variant 19-wide of check.sh. */
#include "abi/kmpc/affinity/procs.h"

int32_t solo_kmp_procs(void) {
  return 64;
}
