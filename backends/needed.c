/* --driver-binding=needed: one strong reference to each driver library; all others are weak for
 * static programs. */
#include "runtime/base/platform.h"

#if SOLO_HAVE_CUDA
extern char cuInit; /* only the name matters */
#endif
#if SOLO_HAVE_HSA
extern char hsa_init;
#endif

SOLO_HIDDEN extern const void *const solo_needed_drivers[];
__attribute__((used, retain, section(".data.rel.ro.solo_needed")))
const void *const solo_needed_drivers[] = {
#if SOLO_HAVE_CUDA
    &cuInit,
#endif
#if SOLO_HAVE_HSA
    &hsa_init,
#endif
    0};
