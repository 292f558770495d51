/* libomptarget.so for linkers. It is a filter for libsolo.so and has the SONAME of LLVM's
 * libomptarget, so that programs run with either library. */
#include "abi/exports.h"
#include "runtime/base/platform.h"

#define XX(name)                                                                                   \
  SOLO_EXPORT void name(void);                                                                     \
  void name(void) {}
SOLO_EXPORTS_MAP(XX)
