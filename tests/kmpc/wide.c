/* A machine of 64 processors, in the place of affinity/procs.c: for programs of check.sh's variant 19-wide. */
#include "abi/kmpc/affinity/procs.h"

int32_t solo_kmp_procs(void) {
  return 64;
}
