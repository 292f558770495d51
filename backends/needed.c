/* For --driver-binding=needed: a strong reference to one function of each driver library, so that
 * the library must exist. All other references to drivers are weak, for static programs. */
#include "runtime/base/platform.h"

#if SOLO_HAVE_CUDA
extern char cuInit; /* the type is irrelevant: only the symbol's name is used */
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
