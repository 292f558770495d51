/* Stand-ins for the device runtime: members of libomptarget.a with which images of flang's kernels
 * link beside libomp. They never run: the loader of images turns each into a jump to the function
 * of the same name in the core (device_libomp.c). In an image that is loaded in any other way they end the program.
 */
#include "abi/kmpc/fortran/device.h"

/* one function per name: equal ones may not become one */
#define XX(name)                                                                                   \
  SOLO_EXPORT void __kmpc_##name(void);                                                            \
  __asm__(".text\n.p2align 4\n.globl __kmpc_" #name "\n.type __kmpc_" #name ", @function\n"        \
          "__kmpc_" #name ":\n" SOLO_ARCH_TRAP ".p2align 4\n.size __kmpc_" #name                   \
          ", .-__kmpc_" #name "\n");
SOLO_DEVICE_NAMES(XX)
