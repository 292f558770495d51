/* Stand-ins in libomptarget.a, so that images of flang kernels link with libomp. The image loader
 * turns each into a jump to the core (device_libomp.c). Without it they trap. */
#include "abi/kmpc/fortran/device.h"

/* one function per name: the linker must not merge them */
#define XX(name)                                                                                   \
  SOLO_EXPORT void __kmpc_##name(void);                                                            \
  __asm__(".text\n.p2align 4\n.globl __kmpc_" #name "\n.type __kmpc_" #name ", @function\n"        \
          "__kmpc_" #name ":\n" SOLO_ARCH_TRAP ".p2align 4\n.size __kmpc_" #name                   \
          ", .-__kmpc_" #name "\n");
SOLO_DEVICE_NAMES(XX)
