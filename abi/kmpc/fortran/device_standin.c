/* Stand-ins in libomptarget.a, so that images of flang kernels link with libomp. The image loader
 * replaces each stand-in, which traps, by a jump to the core (device_libomp.c). */
#include "abi/kmpc/fortran/device.h"

/* one function per name, which the linker must not merge */
#define XX(name)                                                                                   \
  SOLO_EXPORT void __kmpc_##name(void);                                                            \
  __asm__(".text\n.p2align 4\n.globl __kmpc_" #name "\n.type __kmpc_" #name ", @function\n"        \
          "__kmpc_" #name ":\n" SOLO_ARCH_TRAP ".p2align 4\n.size __kmpc_" #name                   \
          ", .-__kmpc_" #name "\n");
SOLO_DEVICE_NAMES(XX)
