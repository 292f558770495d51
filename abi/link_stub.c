/* libomptarget.so for linkers. It has stock's SONAME, so that programs run with either library, and
 * filters libsolo.so. */
#include "abi/exports.h"
#include "runtime/base/platform.h"

#define XX(name)                                                                                   \
  SOLO_EXPORT void name(void);                                                                     \
  void name(void) {}
SOLO_EXPORTS_MAP(XX)
